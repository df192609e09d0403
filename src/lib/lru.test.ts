import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lru } from './lru.ts';

test('a full map lets go of the entry not asked for longest', () => {
  const map = new Lru<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3]);
});

test('setting an entry again keeps one of it, with the new value', () => {
  const map = new Lru<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
});

test('in a large one, whatever is asked for again and again stays, however many come and go', () => {
  const map = new Lru<number, number>(100);
  map.set(0, 0);
  for (let key = 1; key <= 10_000; key++) {
    map.set(key, key);
    assert.equal(map.get(0), 0);
  }
  assert.equal(map.get(1), undefined);
});
