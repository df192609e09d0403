// Long work in slices: how much is taken at once, and when it ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from './slices.ts';

describe('Work in slices', () => {
  const doing = (all: number) => {
    const sizes: number[] = [];
    let left = all;
    const take = async (most: number): Promise<number> => {
      const some = Math.min(most, left);
      left -= some;
      sizes.push(some);
      return some;
    };
    return { sizes, take };
  };

  test('takes no more at once than it is told to, and ends with the first slice that is not full', async () => {
    const { sizes, take } = doing(100);
    assert.equal(await inSlices(take, { most: 20 }), 100);
    assert.equal(Math.max(...sizes), 20);
    assert.ok(sizes.at(-1)! < 20);
    assert.equal(await inSlices(async () => 0), 0);
  });

  test('stops when it is told to', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const taken = inSlices(
      async (most) => {
        stop.abort(reason);
        return most;
      },
      { signal: stop.signal },
    );
    await assert.rejects(taken, reason);
  });
});
