import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from '#lib/concurrency.ts';

test('as many go at once as there is room for, and the others in the order they came', async () => {
  const turn = createTurns(2, 10);
  const at: string[] = [];
  const work = (name: string, weight: number) => {
    const done = Promise.withResolvers<void>();
    const over = turn(weight, async () => {
      at.push(name);
      await done.promise;
    });
    const end = async () => {
      done.resolve();
      await over;
    };
    return { end };
  };
  const [first, heavy, light, alone, last] = [work('a', 4), work('b', 8), work('c', 1), work('d', 99), work('e', 1)];
  const now = async () => {
    await Promise.resolve();
    return at.join('');
  };
  assert.equal(await now(), 'a');
  await first.end();
  assert.equal(await now(), 'abc');
  await heavy.end();
  assert.equal(await now(), 'abc');
  await light.end();
  assert.equal(await now(), 'abcd');
  await alone.end();
  assert.equal(await now(), 'abcde');
  await last.end();
});

test('who fails makes room', async () => {
  const turn = createTurns(1, 10);
  await assert.rejects(turn(10, () => Promise.reject(new Error('no'))));
  assert.equal(await turn(10, async () => 'yes'), 'yes');
});

test('no more go at once than may, however light they are', async () => {
  const turn = createTurns(2, 10);
  const ends: (() => void)[] = [];
  const over = Array.from({ length: 5 }, () => turn(0, () => new Promise<void>((end) => ends.push(end))));
  for (const [ended, begun] of [2, 3, 4, 5, 5].entries()) {
    await new Promise((later) => setImmediate(later));
    assert.equal(ends.length, begun);
    ends[ended]!();
  }
  await Promise.all(over);
});
