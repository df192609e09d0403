import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { addToDays, type DailyCount, dailyCountTables, forgetDays } from './daily-counts.ts';

eachEngine('Daily counts', (engine) => {
  const one = (day: string, subject: string, count: number, name = 'visits'): DailyCount => ({
    name,
    day,
    subject,
    count,
  });

  test('are added to by all processes at once, in whatever order each of them counts', async () => {
    const place = await engine.place();
    const processes = [await engine.store([dailyCountTables], place), await engine.store([dailyCountTables], place)];
    const many = Array.from({ length: 100 }, (_, at) => one('2026-11-22', `subject ${at}`, 1));
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        processes[at % 2]!.write((tx) => addToDays(tx, [...(at % 2 ? many : many.toReversed()), ...many])),
      ),
    );
    const rows = await processes[0]!.db.selectFrom('daily_counts').selectAll().execute();
    assert.deepEqual([rows.length, new Set(rows.map(({ count }) => count))], [100, new Set([20])]);
  });

  test('are forgotten a few at a time, of the days before one', async () => {
    const store = await engine.store([dailyCountTables]);
    const kept = [one('2026-11-22', 'a', 1), one('2026-11-20', 'a', 1, 'others')];
    await store.write((tx) =>
      addToDays(tx, [...kept, one('2026-11-20', 'a', 2), one('2026-11-21', 'a', 0), one('2026-11-21', 'b', 5)]),
    );
    const forget = () => store.write((tx) => forgetDays(tx, ['visits'], '2026-11-22', 2));
    assert.deepEqual([await forget(), await forget(), await forget()], [2, 1, 0]);
    const left = await store.db.selectFrom('daily_counts').selectAll().orderBy('name', 'desc').execute();
    assert.deepEqual(
      left.map((row) => ({ ...row })),
      kept,
    );
  });
});
