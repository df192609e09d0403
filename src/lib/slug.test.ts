import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from './slug.ts';

const cases: [string, string][] = [
  ['Ann Lee', 'ann-lee'],
  ['ann.lee@example.test', 'ann-leeexample-test'],
  ['  --Ann--  ', 'ann'],
  ['Mother’s Day', 'mothers-day'],
  ['Zoë_3', 'zoe_3'],
  ['../etc', 'etc'],
  ['日本 語', '日本-語'],
  ['%%%', ''],
];

for (const [text, slug] of cases)
  test(`${text} is ${slug || 'nothing'} in an address`, () => assert.equal(slugOf(text), slug));
