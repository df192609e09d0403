// How the engines find what blocks list: by an index, however much there is. Asked of the engines themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { fillPosts } from '#test/many-posts.ts';
import { watchedStore } from '#test/plans.ts';
import { countsOf, timesOf } from './archives.ts';

onBothStores('Months are found by the index of dates', (engine) => {
  test('from one to the next, and no further than asked', async () => {
    const { store, watched, settle, of } = await watchedStore(engine);
    await fillPosts(store, 4_000);
    await settle();
    const { db } = watched as unknown as { db: Parameters<typeof timesOf>[0] };
    const months = await timesOf(db, 7, 500);
    const rows = await db
      .selectFrom('posts')
      .select('date')
      .where('type', '=', 'post')
      .where('status', '=', 'publish')
      .execute();
    const counts = Map.groupBy(rows, ({ date }) => date.slice(0, 7));
    assert.deepEqual(months, [...counts.keys()].sort().reverse());
    assert.equal((await timesOf(db, 10, 3)).length, 3);
    assert.deepEqual(
      [...(await countsOf(db, 7, months.slice(0, 2)))].sort(),
      months
        .slice(0, 2)
        .map((month) => [month, counts.get(month)!.length])
        .sort(),
    );
    for (const { statement, steps } of await of(async () => countsOf(db, 7, await timesOf(db, 7, 500)))) {
      const whole = steps.filter((step) => /Seq Scan|^SCAN posts\b|Bitmap/.test(step));
      assert.deepEqual(whole, [], `${statement}\n${steps.join('\n')}`);
      assert.match(steps.join('\n'), /COVERING INDEX|Index Only/);
    }
  });
});
