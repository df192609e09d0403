import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.ts';

test('what is undefined goes, and nothing else that says little', () => {
  assert.deepEqual(Object.entries(defined({ one: undefined, two: null, three: 0, four: '', five: false })), [
    ['two', null],
    ['three', 0],
    ['four', ''],
    ['five', false],
  ]);
});
