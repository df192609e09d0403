import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '#lib/concurrency.ts';

test('so many go at once, the others in the order they came, and a failure holds nobody up', async () => {
  const turn = inTurn(2);
  const started: number[] = [];
  const works = [0, 1, 2, 3].map((number) => ({ number, ...Promise.withResolvers<number>() }));
  const outcomes = works.map(({ number, promise }) =>
    turn(() => {
      started.push(number);
      return promise;
    }),
  );
  assert.deepEqual(started, [0, 1]);
  works[1]!.reject(new Error('failed'));
  await assert.rejects(outcomes[1]!);
  assert.deepEqual(started, [0, 1, 2]);
  for (const { number, resolve } of works) resolve(number);
  assert.deepEqual(await Promise.all([outcomes[0], outcomes[2], outcomes[3]]), [0, 2, 3]);
  assert.equal(await turn(async () => 4), 4);
});
