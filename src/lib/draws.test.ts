import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawsOf } from './draws.ts';

const many = (...seed: readonly (string | number)[]): number[] => {
  const draws = drawsOf(...seed);
  return Array.from({ length: 2_000 }, () => draws.number());
};

test('the same seed draws the same, another draws something else', () => {
  assert.deepEqual(many('spring', 'posts', 7), many('spring', 'posts', 7));
  assert.notDeepEqual(many('spring', 'posts', 7), many('spring', 'posts', 8));
  assert.notDeepEqual(many('a', 'b'), many('ab'));
  assert.notDeepEqual(many('1'), many(1));
});

test('on every machine it is the same that is drawn', () => {
  const draws = drawsOf('spring');
  assert.deepEqual(
    Array.from({ length: 5 }, () => draws.integer(0, 999)),
    [782, 627, 863, 361, 170],
  );
});

test('numbers lie between nothing and one, evenly', () => {
  const drawn = many('evenly');
  assert.ok(drawn.every((one) => one >= 0 && one < 1));
  const tenths = Map.groupBy(drawn, (one) => Math.floor(one * 10));
  assert.ok([...tenths.values()].every(({ length }) => length > 140 && length < 260));
});

test('whole numbers reach both ends', () => {
  const draws = drawsOf('ends');
  const drawn = new Set(Array.from({ length: 200 }, () => draws.integer(3, 6)));
  assert.deepEqual([...drawn].sort(), [3, 4, 5, 6]);
  assert.equal(draws.integer(9, 9), 9);
});

test('never is never and always is always', () => {
  const draws = drawsOf('chance');
  assert.ok(Array.from({ length: 200 }, () => draws.chance(0)).every((yes) => !yes));
  assert.ok(Array.from({ length: 200 }, () => draws.chance(1)).every((yes) => yes));
});

test('what is picked is different each, and no more than there is', () => {
  const draws = drawsOf('picks');
  assert.equal(new Set(draws.picks(['a', 'b', 'c', 'd'], 3)).size, 3);
  assert.deepEqual(draws.picks([1, 2], 5).sort(), [1, 2]);
  assert.deepEqual(draws.picks([], 2), []);
  assert.ok(['a', 'b'].includes(draws.pick(['a', 'b'])));
});
