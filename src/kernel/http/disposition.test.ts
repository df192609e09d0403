import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { fileNameIn } from './upload.ts';

const cases: readonly (readonly [header: string, name: string | undefined])[] = [
  ['attachment; filename="a.jpg"', 'a.jpg'],
  ['inline; filename=a.jpg', 'a.jpg'],
  ['form-data; name="file"; filename=a.jpg', 'a.jpg'],
  ['attachment; filename="a \\"b\\".jpg"', 'a "b".jpg'],
  ['attachment; FileName = "a;b.jpg"', 'a;b.jpg'],
  [`attachment; filename="${Buffer.from('Ü.jpg').toString('latin1')}"`, 'Ü.jpg'],
  ['attachment; filename="\xdc.jpg"', 'Ü.jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%C3%9C%20%E2%82%AC.jpg', 'Ü €.jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%C3', 'x.jpg'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\\\folder\\\\a.jpg"', 'a.jpg'],
  ['filename="a.jpg"', 'a.jpg'],
  ['attachment; name="a.jpg"', undefined],
  ['attachment; filename=""', undefined],
  ['attachment; xfilename="a.jpg"', undefined],
  ['attachment', undefined],
  ['', undefined],
];

describe('The name in a Content-Disposition', () => {
  test('is read in each spelling', () => checkRows(cases, ([header, name]) => assert.equal(fileNameIn(header), name)));
});
