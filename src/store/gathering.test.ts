import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ambient } from '#lib/ambient.ts';
import { Gatherings } from './gathering.ts';

/** Doubles what is below ten, and remembers for which numbers it was asked. */
function doubling() {
  const asked: number[][] = [];
  const gatherings = new Gatherings(new Ambient());
  const load = gatherings.gathered(async (ids) => {
    asked.push([...ids]);
    return new Map(ids.filter((id) => id < 10).map((id) => [id, id * 2]));
  });
  return { gatherings, load, asked };
}

test('what is asked at the same time is looked up together, and once; each is given what it asked for', async () => {
  const { gatherings, load, asked } = doubling();
  const found = await gatherings.around(async () => {
    const first = await Promise.all([load([1, 2]), load([2, 12]), load([])]);
    return [...first, await load([2, 3])];
  });
  assert.deepEqual(
    found.map((one) => [...one]),
    [
      [
        [1, 2],
        [2, 4],
      ],
      [[2, 4]],
      [],
      [
        [2, 4],
        [3, 6],
      ],
    ],
  );
  assert.deepEqual(asked, [[1, 2, 12], [3]]);
});

test('work inside it gathers with it', async () => {
  const { gatherings, load, asked } = doubling();
  await gatherings.around(() => Promise.all([load([1]), gatherings.around(() => load([1, 2]))]));
  assert.deepEqual(asked, [[1, 2]]);
});

test('no other work is given it: none beside it, none that outlives it, and no write', async () => {
  const { gatherings, load, asked } = doubling();
  let late = async (): Promise<unknown> => undefined;
  await Promise.all([
    gatherings.around(async () => {
      await load([1]);
      await gatherings.apart(() => load([1]));
      const { promise, resolve } = Promise.withResolvers<void>();
      const outliving = promise.then(() => load([1]));
      late = () => {
        resolve();
        return outliving;
      };
    }),
    gatherings.around(() => load([1])),
    load([1]),
  ]);
  await late();
  assert.deepEqual(asked, [[1], [1], [1], [1], [1]]);
});

test('after a write all of it is looked up again', async () => {
  const { gatherings, load, asked } = doubling();
  await gatherings.around(async () => {
    await load([1]);
    gatherings.forget();
    await load([1]);
  });
  assert.deepEqual(asked, [[1], [1]]);
});

test('what fails, fails for all who asked for it', async () => {
  const gatherings = new Gatherings(new Ambient());
  const load = gatherings.gathered<number>(() => Promise.reject(new Error('away')));
  const outcomes = await gatherings.around(() => Promise.allSettled([load([1]), load([2])]));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
