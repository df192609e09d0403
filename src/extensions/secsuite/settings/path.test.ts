import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, putAt } from './types.ts';

test('a path leads to a member, and nowhere where there is none', () => {
  const values = { a: { b: { c: 1 } }, list: ['x'] };
  assert.deepEqual([at(values, 'a.b.c'), at(values, 'a.b'), at(values, 'list')], [1, { c: 1 }, ['x']]);
  for (const path of ['b', 'a.c', 'a.b.c.d', 'list.0', 'a.constructor', '__proto__', 'toString.name'])
    assert.equal(at(values, path), undefined, path);
});

test('a member is put in its place in a copy, where the way leads there', () => {
  const values = Object.freeze({ a: Object.freeze({ b: 1, c: 2 }), d: 3 });
  assert.deepEqual(putAt(values, 'a.b', 9), { a: { b: 9, c: 2 }, d: 3 });
  assert.deepEqual(putAt(values, 'e', 4), { a: { b: 1, c: 2 }, d: 3, e: 4 });
  assert.deepEqual(putAt(values, 'd.e', 4), values);
  assert.deepEqual(putAt(values, 'x.e', 4), values);
});
