import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bare, inGroups, makePassword } from './application-passwords.ts';

describe('An application password', () => {
  test('is 24 letters and digits, and never the same twice', () => {
    const passwords = Array.from({ length: 500 }, makePassword);
    for (const password of passwords) assert.match(password, /^[A-Za-z0-9]{24}$/);
    assert.equal(new Set(passwords).size, passwords.length);
  });

  test('uses every sign about as often as any other', () => {
    const counts = Map.groupBy(Array.from({ length: 2_000 }, makePassword).join(''), (sign) => sign);
    const mean = (2_000 * 24) / 62;
    assert.equal(counts.size, 62);
    for (const [sign, { length }] of counts) assert.ok(Math.abs(length - mean) < mean / 4, `${sign}: ${length}`);
  });

  test('is shown in groups of four, and read whatever comes between them', () => {
    assert.equal(inGroups('abcdEFGH1234ijklMNOP5678'), 'abcd EFGH 1234 ijkl MNOP 5678');
    assert.equal(bare(' abcd-EFGH\t1234 ijkl\u00a0MNOP “5678”\n'), 'abcdEFGH1234ijklMNOP5678');
  });
});
