import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { compareVersions, isRange, isVersion, isWithin } from './version-number.ts';

const oldestFirst = [
  ...['0.0.1', '0.9.0', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
  ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '2.0.0', '10.0.0'],
];

test('versions are ordered by their numbers, and what is early comes before what is done', () => {
  assert.deepEqual(oldestFirst.toReversed().sort(compareVersions), oldestFirst);
  assert.equal(compareVersions('1.0.0+built.today', '1.0.0'), 0);
});

describe('What is no version', () => {
  test('is refused', () =>
    checkRows(
      ['', '1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-a..b', '1.0.0-01', '1.0.0 ', '1.0.0.0', '∞'],
      (text) => assert.equal(isVersion(text), false),
    ));
});

describe('A range', () => {
  const cases: readonly (readonly [range: string, within: readonly string[], outside: readonly string[]])[] = [
    ['>=0.4.0', ['0.4.0', '0.4.1', '1.0.0'], ['0.3.9', '0.4.0-beta', 'none', '']],
    ['>0.4.0', ['0.4.1'], ['0.4.0']],
    ['<1.0.0', ['0.9.9', '1.0.0-rc.1'], ['1.0.0']],
    ['<=1.0.0', ['1.0.0'], ['1.0.1']],
    ['=1.2.3', ['1.2.3'], ['1.2.4']],
    ['>=1.0.0 <2.0.0', ['1.0.0', '1.9.0'], ['0.9.0', '2.0.0']],
  ];
  test('contains the versions within it, and no others', () =>
    checkRows(cases, ([range, within, outside]) => {
      assert.equal(isRange(range), true);
      for (const version of within) assert.ok(isWithin(version, range), version);
      for (const version of outside) assert.ok(!isWithin(version, range), version);
    }));

  test('is nothing else', () =>
    checkRows(['', '1.0.0', '^1.0.0', '~1.0', '>= 1.0.0', '>=1', '*', '>=1.0.0  <2.0.0', '>=1.0.0 '], (text) => {
      assert.equal(isRange(text), false);
      assert.equal(isWithin('1.0.0', text), false);
    }));
});
