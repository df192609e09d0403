import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { csvLine } from './csv.ts';

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
