// The daily purge goes a little at a time, and whoever reads meanwhile hardly notices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { longestSlice, processorTime } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { entries, until } from '../../../../bench/log-entries.ts';
import { createKeep } from './keeping.ts';
import { createRetention, type KeptSettings } from './retention.ts';
import { type LogTables, logMigrations, quietLogTables } from './tables.ts';

const many = 12_000;
const settings: KeptSettings = { log_type: 'database', log_rotation: 1 } as KeptSettings;

eachEngine('The purge of the log', (engine) => {
  test('is done in slices that keep the process for 5 ms at most, with pauses between them', async () => {
    const opened = await engine.store([{ owner: 'secsuite', migrations: logMigrations, quiet: quietLogTables }]);
    const store = opened as unknown as Store<LogTables>;
    const keep = createKeep(store);
    const all = [...entries(many)];
    for (let at = 0; at < many; at += 2_000) await keep(all.slice(at, at + 2_000));
    const slices: number[] = [];
    let turns = 0;
    const measured: typeof store.write = async (work, bounds) => {
      const begun = processorTime();
      try {
        return await store.write(work, bounds);
      } finally {
        slices.push(processorTime() - begun);
      }
    };
    const clock = () => new Date(until + 30 * day);
    const { purge } = createRetention({
      store: { ...store, db: store.db, write: measured },
      clock,
      settings: () => settings,
    });
    const ticking = setInterval(() => (turns += 1), 1);
    const { entries: gone } = await purge();
    clearInterval(ticking);
    assert.equal(gone, many);
    const left = await store.db.selectFrom('secsuite_log_totals').selectAll().execute();
    assert.deepEqual(left, []);
    const sorted = slices.toSorted((one, other) => one - other);
    assert.ok(sorted[Math.floor(sorted.length * 0.95)]! <= longestSlice, `slices took ${sorted} ms`);
    // A slice in which garbage is collected is longer.
    assert.ok(sorted.at(-1)! <= 3 * longestSlice, `slices took ${sorted} ms`);
    assert.ok(turns >= slices.length - 1, `${turns} turns for ${slices.length} slices`);
  });
});
