import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Transaction } from 'kysely';
import { day } from '#lib/spans.ts';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import type { Store } from '#store/store.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { entries, hash, until } from '../../../../bench/log-entries.ts';
import { type Checkpoint, newestCheckpoint } from './checkpoints.ts';
import { createKeep, createRetention, type KeptSettings } from './keeping.ts';
import { type LogTables, logMigrations, quietLogTables } from './tables.ts';
import { type Verification, verifyLog } from './verify.ts';

const tables = [dailyCountTables, { owner: 'secsuite', migrations: logMigrations, quiet: quietLogTables }];

async function aLog(engine: TestEngine) {
  const place = await engine.place(tables);
  const open = async () => (await engine.store(tables, place)) as unknown as Store<LogTables>;
  const store = await open();
  const verify = (checkpoints: readonly Checkpoint[] = []) => store.still((db) => verifyLog(db, hash, checkpoints));
  return { open, store, verify };
}

/** A copy of an entry, without a hash. */
async function addByHand(tx: Transaction<LogTables>, id: number, like: number): Promise<void> {
  await sql`insert into secsuite_logs
    select ${id}, kind, user_id, site, created_at, remote_ip, url, code, module, type, started_at
    from secsuite_logs where id = ${like}`.execute(tx);
  await sql`insert into secsuite_logs_data (id, parent_id, memory_current, memory_peak, data) values (${id}, 0, 0, 0, '{}')`.execute(
    tx,
  );
}

const said = ({ faults }: Verification): readonly unknown[] =>
  faults.map((fault) => [fault.kind, ...('id' in fault ? [fault.id] : [])]);

onBothStores('The chain of the security log', (engine) => {
  test('has one order across processes, and leaves out entries from before it began', async () => {
    const { open, store, verify } = await aLog(engine);
    const all = [...entries(200)];
    const before = { next: () => ({ seq: null, seal: null }), written: () => {} } as never;
    await createKeep(store, hash, { claim: async () => before })(all.slice(0, 20));
    const keeps = await Promise.all([store, await open()].map(async (one) => createKeep(one, hash)));
    await Promise.all(Array.from({ length: 18 }, (_, n) => keeps[n % 2]!(all.slice(20 + 10 * n, 30 + 10 * n))));
    const { sealed, unsealed, faults } = await verify();
    assert.deepEqual({ sealed, unsealed, faults }, { sealed: 180, unsealed: 20, faults: [] });
  });

  test('names entries that were changed, deleted or inserted in the database', async () => {
    const { store, verify } = await aLog(engine);
    const keep = createKeep(store, hash);
    await keep([...entries(40)]);
    const checkpoint = (await newestCheckpoint(store.db, new Date(until)))!;
    assert.deepEqual(said(await verify([checkpoint])), []);
    await store.write(async (tx) => {
      await sql`update secsuite_logs set code = 'nothing' where id = 3`.execute(tx);
      await sql`update secsuite_logs_data set data = '{}' where id = 5`.execute(tx);
      await sql`update secsuite_logs set kind = kind + 1 where id = 7`.execute(tx);
      await sql`delete from secsuite_logs where id in (10, 11)`.execute(tx);
      await sql`delete from secsuite_logs_data where id in (10, 11, 15)`.execute(tx);
      await sql`update secsuite_logs_data set seq = null, seal = null where id = 20`.execute(tx);
      await addByHand(tx, -5, 1);
    });
    const faults = [
      ['inserted', -5],
      ['changed', 3],
      ['changed', 5],
      ['changed', 7],
      ['deleted', 12],
      ['inserted', 15],
      ['deleted', 16],
      ['inserted', 20],
      ['deleted', 21],
    ];
    assert.deepEqual(said(await verify()), faults);
    // An attacker who sets the chain back to what is left is caught by a process that wrote before, or by the checkpoint.
    await store.write(async (tx) => {
      await sql`delete from secsuite_logs where id > 30`.execute(tx);
      await sql`delete from secsuite_logs_data where id > 30`.execute(tx);
    });
    assert.deepEqual(said(await verify()), [...faults, ['newest-deleted']]);
    await store.write((tx) => sql`update secsuite_log_chain set last_seq = 30`.execute(tx));
    const begunLater = createKeep(store, hash);
    const [first] = await begunLater([...entries(3)]);
    assert.deepEqual(said(await verify()), faults);
    assert.deepEqual(said(await verify([checkpoint])), [...faults, ['checkpoint-missing']]);
    await begunLater([...entries(30)]);
    assert.deepEqual(said(await verify([checkpoint])), [...faults, ['checkpoint-differs']]);
    await store.write(async (tx) => {
      await sql`delete from secsuite_logs where id > ${first}`.execute(tx);
      await sql`delete from secsuite_logs_data where id > ${first}`.execute(tx);
      await sql`update secsuite_log_chain set last_seq = 31`.execute(tx);
    });
    assert.deepEqual(said(await verify()), faults);
    const [next] = await keep([...entries(1)]);
    assert.deepEqual(said(await verify()), [...faults, ['deleted', next]]);
  });

  test('is proven on after retention deleted its beginning, which names entries that were changed to be deleted', async () => {
    const { store, verify } = await aLog(engine);
    const keep = createKeep(store, hash);
    const all = [...entries(60)]; // one a day
    await keep(all.slice(0, 40));
    const checkpoint = await newestCheckpoint(store.db, new Date(until - 20 * day));
    await keep(all.slice(40));
    const found: unknown[] = [];
    const retention = (days: number) =>
      createRetention({
        store,
        clock: () => new Date(until),
        settings: () => ({ log_type: 'database', log_rotation: days }) as KeptSettings,
        hash,
        onFaults: (faults) => found.push(...faults),
      });
    assert.equal((await retention(30).purge()).entries, 30);
    const proven = await verify([checkpoint!]);
    assert.deepEqual([said(proven), proven.provenUpTo?.seq, proven.sealed], [[], 40, 30]);
    await store.write((tx) => sql`update secsuite_logs set created_at = '2026-01-01' where id <= 33`.execute(tx));
    assert.equal((await retention(30).purge()).entries, 3);
    assert.deepEqual(
      found.map((one) => (one as { id: number }).id),
      [31, 32, 33],
    );
    await store.write((tx) => addByHand(tx, 7, 40));
    assert.deepEqual(said(await verify()), [['inserted', 7]]);
    await retention(5).purge();
    const rest = await verify([checkpoint!, { ...checkpoint!, at: new Date(until - day).toISOString() }]);
    assert.deepEqual([said(rest), rest.sealed], [[['deleted-early']], 5]);
    await retention(1 / 24).purge();
    await keep(all.slice(0, 1));
    assert.deepEqual(said(await verify()), []);
    await store.write((tx) => sql`update secsuite_log_chain set base_seq = 3`.execute(tx));
    assert.deepEqual(said(await verify()), [['base-changed'], ['deleted', 61]]);
  });
});
