import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import type { Store } from '#store/store.ts';
import { onBothStores } from '#test/databases.ts';
import { entries, hash, until } from '../../../../bench/log-entries.ts';
import { createKeep, createRetention, type KeptSettings } from './keeping.ts';
import { type LogTables, logMigrations, quietLogTables } from './tables.ts';

const many = 2_000;
const settings: KeptSettings = { log_type: 'database', log_rotation: 1 } as KeptSettings;

onBothStores('The purge of the log', (engine) => {
  test('deletes what is too old in several writes, and its daily counts with it', async () => {
    const opened = await engine.store([
      dailyCountTables,
      { owner: 'secsuite', migrations: logMigrations, quiet: quietLogTables },
    ]);
    const store = opened as unknown as Store<LogTables>;
    await createKeep(store, hash)([...entries(many)]);
    let writes = 0;
    const write: typeof store.write = (work, bounds) => {
      writes += 1;
      return store.write(work, bounds);
    };
    const { purge } = createRetention({
      store: { ...store, db: store.db, write },
      clock: () => new Date(until + 30 * day),
      settings: () => settings,
      hash,
      onFaults: (faults) => assert.fail(JSON.stringify(faults)),
    });
    const { entries: gone } = await purge();
    assert.equal(gone, many);
    assert.ok(writes > 1, `${writes} writes`);
    const totals = store.db.selectFrom('daily_counts').selectAll().where('name', 'like', 'secsuite-log %');
    assert.deepEqual(await totals.execute(), []);
  });
});
