import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonObject, withoutUndefined } from './objects.ts';

test('what is undefined goes, and nothing else that says little', () => {
  assert.deepEqual(Object.entries(withoutUndefined({ one: undefined, two: null, three: 0, four: '', five: false })), [
    ['two', null],
    ['three', 0],
    ['four', ''],
    ['five', false],
  ]);
});

test('A JSON object is read; nothing else is one', () => {
  assert.deepEqual(parseJsonObject(' {"a": [1]} '), { a: [1] });
  assert.deepEqual(parseJsonObject('{}'), {});
  for (const text of ['', '[]', '[{}]', 'null', '1', '"{}"', '{"a"', '<html>'])
    assert.equal(parseJsonObject(text), undefined, text);
});
