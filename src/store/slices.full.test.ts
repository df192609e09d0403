// Long work in slices, in processor time: how long one is, and that others come in between.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices, longestSlice, pausing, processorTime, unhurried } from './slices.ts';

/** Keeps the thread for so many milliseconds of processor time. */
function work(milliseconds: number): void {
  const begun = processorTime();
  while (processorTime() - begun < milliseconds);
}

describe('Work in slices', () => {
  /** So much that each piece costs so long. */
  const doing = (all: number, each: number) => {
    const sizes: number[] = [];
    let left = all;
    const take = async (most: number): Promise<number> => {
      const some = Math.min(most, left);
      left -= some;
      sizes.push(some);
      work(some * each);
      return some;
    };
    return { sizes, take };
  };

  test('is as large as fits into a slice, however dear a piece is', async () => {
    for (const each of [0.02, 0.2, 1]) {
      const { sizes, take } = doing(Math.ceil(60 / each), each);
      assert.equal(await inSlices(take), Math.ceil(60 / each));
      const usual = sizes.slice(1, -1).toSorted((one, other) => one - other);
      const middle = usual[usual.length >> 1]!;
      assert.ok(middle === 1 || middle * each <= longestSlice, `${middle} pieces of ${each} ms`);
      assert.ok(middle === 1 || middle * each >= longestSlice / 10, `only ${middle} pieces of ${each} ms`);
    }
  });

  test('lets others have their turn after each slice', async () => {
    const { sizes, take } = doing(200, 0.3);
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await inSlices(take);
    clearInterval(ticking);
    assert.ok(turns >= sizes.length - 1, `${turns} turns for ${sizes.length} slices`);
  });

  test('goes from one thing to the next with pauses, too', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    const pause = pausing();
    async function* things() {
      for (let n = 0; n < 20; n++) {
        work(3);
        yield n;
      }
    }
    for await (const thing of unhurried(things())) assert.ok(thing < 20);
    assert.ok(turns >= 15, `${turns} turns`);
    turns = 0;
    for (let n = 0; n < 20; n++) {
      work(3);
      await pause();
    }
    clearInterval(ticking);
    assert.ok(turns >= 15, `${turns} turns`);
  });
});
