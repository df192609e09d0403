import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { onBothStores } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { createRateLimits, rateLimitTables } from './rate-limits.ts';

onBothStores('A rate limit', (engine) => {
  let now = noon;
  const pass = (milliseconds: number): void => {
    now = new Date(now.getTime() + milliseconds);
  };
  const limitsOf = async (place = engine.place()) =>
    createRateLimits({ store: await engine.store([rateLimitTables], await place), clock: () => now });

  test('lets through so many in a period, which begins with the first', async () => {
    const { take } = await limitsOf();
    const ask = () => take('embeds 7', 2, minute);
    assert.deepEqual([await ask(), await ask(), await ask()], [true, true, false]);
    assert.equal(await take('embeds 8', 2, minute), true, 'others are not limited by it');
    pass(minute - 1);
    assert.equal(await ask(), false);
    pass(1);
    assert.deepEqual([await ask(), await ask(), await ask()], [true, true, false]);
  });

  test('is one for all processes, however many ask at once', async () => {
    const place = engine.place();
    const processes = [await limitsOf(place), await limitsOf(place)];
    const asked = Array.from({ length: 40 }, (_, at) => processes[at % 2]!.take('embeds 7', 10, minute));
    assert.equal((await Promise.all(asked)).filter(Boolean).length, 10);
  });

  test('tells the uses that count, and deletes those that no longer do', async () => {
    const { count, used, deleteOver } = await limitsOf();
    await count(['b', 'a'], minute);
    pass(30_000);
    await count(['a', 'c'], minute);
    const ends = (all: Awaited<ReturnType<typeof used>>) =>
      ['a', 'b', 'c', 'd'].map((subject) => [all.get(subject)?.used, all.get(subject)?.until.getTime()]);
    const first = now.getTime() + 30_000;
    assert.deepEqual(ends(await used(['a', 'b', 'c', 'd'])), [
      [2, first],
      [1, first],
      [1, now.getTime() + minute],
      [undefined, undefined],
    ]);
    pass(30_000);
    assert.deepEqual([await deleteOver(1), await deleteOver(10), await deleteOver(10)], [1, 1, 0]);
    assert.deepEqual([...(await used(['a', 'b', 'c'])).keys()], ['c']);
  });
});
