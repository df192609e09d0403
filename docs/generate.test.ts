import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stale } from './generate.ts';

test('the generated pages say what the code says; "npm run docs" brings them up to date', () => {
  assert.deepEqual(stale(), []);
});
