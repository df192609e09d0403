import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { csvLine, parseCsv } from './csv.ts';

describe('A line of CSV', () => {
  test('is read as it was written', () => {
    assert.equal(csvLine(['a', 1, '', 'two words']), 'a,1,,two words\r\n');
    assert.equal(csvLine(['a,b', 'say "x"', 'one\ntwo', 'c\rd']), '"a,b","say ""x""","one\ntwo","c\rd"\r\n');
  });

  test('is not a formula to a spreadsheet', () =>
    checkRows(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\uff1d1', '=cmd|"/c calc"!A0'], (text) => {
      assert.match(csvLine([text]), /^"?'/);
    }));

  test('leaves numbers alone', () => assert.equal(csvLine([-1, 2]), '-1,2\r\n'));
});

test('Rows of CSV are read as they were written', () => {
  const rows = (text: string) => parseCsv(text).map(({ cells }) => cells);
  const cases: readonly (readonly [text: string, rows: string[][]])[] = [
    ['', []],
    ['a,b', [['a', 'b']]],
    [
      '\ufeffa,b\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a\rb\n\nc', [['a'], ['b'], ['c']]],
    [
      '"a,b","say ""x""","one\r\ntwo"\r\n,',
      [
        ['a,b', 'say "x"', 'one\r\ntwo'],
        ['', ''],
      ],
    ],
    [csvLine(['=1', 'x"y', 3]), [["'=1", 'x"y', '3']]],
  ];
  assert.deepEqual(
    cases.filter(([text, wanted]) => JSON.stringify(rows(text)) !== JSON.stringify(wanted)),
    [],
  );
  assert.deepEqual(
    parseCsv('a\n"b\nc"\nd').map(({ line }) => line),
    [1, 2, 4],
  );
  assert.throws(() => parseCsv('a\n"b'), /line 2 is not closed/);
  assert.throws(() => parseCsv('"a"b'), /after the closing quotation mark in line 1/);
});
