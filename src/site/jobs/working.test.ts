// One job while it is done, without a store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import type { Claimed } from './claiming.ts';
import { Stopped } from './job.ts';
import { tallyOf } from './recording.ts';
import { workOn } from './working.ts';

function aWork(stored: Partial<Claimed> = {}) {
  const fresh = {
    id: 'x',
    kind: 'test',
    alone: null,
    payload: null,
    confidential: 0,
    cancelled: 0,
    attempt: 1,
  } as const;
  const claim: Claimed = {
    ...fresh,
    number: 1,
    token: 't',
    total: 0,
    done: 0,
    failed: 0,
    step: 0,
    position: null,
    ...stored,
  };
  const [tally, stopping] = [tallyOf(claim), new AbortController()];
  const paused: number[] = [];
  const reported: unknown[] = [];
  const tools = {
    record: async () => {},
    report: (error: unknown) => void reported.push(error),
    pause: async (milliseconds: number) => void paused.push(milliseconds),
  };
  return { work: workOn(claim, tally, stopping.signal, tools), tally, stopping, paused, reported };
}

const letters = ['a', 'b', 'c'];
const after = (letter: string | undefined) => letters.filter((one) => one > (letter ?? ''));

describe('the items of a job', () => {
  test('that need something which is away are tried again a little later, and not for ever', async () => {
    const { work, tally, paused, reported } = aWork();
    let away = 2;
    await work.each(after, {
      key: String,
      async do(letter) {
        if (letter === 'a' && away-- > 0) throw new Unavailable('The storage is away.');
        if (letter === 'c') throw new Unavailable('The storage is gone.');
      },
    });
    assert.deepEqual(paused, [1_000, 5_000, 1_000, 5_000, 25_000]);
    assert.deepEqual([tally.done, tally.failed, tally.position], [2, 1, 'c']);
    assert.deepEqual(tally.errors, [{ item: 'c', code: 'unavailable', message: 'The storage is gone.' }]);
    assert.deepEqual(reported, []);
  });

  test('are done from the last one on that is accounted for, in the walk in which that was', async () => {
    const { work, tally } = aWork({ step: 2, position: 'a', done: 4 });
    const seen: string[] = [];
    for (const walk of ['first', 'second', 'third'])
      await work.each(after, { key: String, do: async (letter) => void seen.push(`${walk} ${letter}`) });
    assert.deepEqual(seen, ['second b', 'second c', 'third a', 'third b', 'third c']);
    assert.deepEqual([tally.done, tally.step, tally.position], [9, 3, 'c']);
  });

  test('one that is broken off is not accounted for', async () => {
    const { work, tally, stopping } = aWork();
    const walk = work.each(after, {
      key: String,
      async do(letter) {
        if (letter !== 'b') return;
        stopping.abort(new Stopped('stopping'));
        throw new Error('broken off');
      },
    });
    await assert.rejects(walk, Stopped);
    assert.deepEqual([tally.done, tally.failed, tally.position], [1, 0, 'a']);
  });

  test('may come from anything that can be walked', async () => {
    const { work, tally } = aWork();
    async function* paged() {
      yield* letters;
    }
    await work.each(paged, { key: String, do: async () => {} });
    assert.equal(tally.done, 3);
    await work.each(async () => letters, { key: String, do: async () => {} });
    assert.equal(tally.done, 6);
  });
});
