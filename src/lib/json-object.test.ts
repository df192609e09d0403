import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectIn } from './json-object.ts';

test('A JSON object is read; nothing else is one', () => {
  assert.deepEqual(objectIn(' {"a": [1]} '), { a: [1] });
  assert.deepEqual(objectIn('{}'), {});
  for (const text of ['', '[]', '[{}]', 'null', '1', '"{}"', '{"a"', '<html>'])
    assert.equal(objectIn(text), undefined, text);
});
