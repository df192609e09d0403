import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import { asked, onBothStores, onEngine, type TestEngine } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { tableOwners } from '../../../boot/tables.ts';
import { thisProcess } from '../../platform/leases.ts';
import { type LeasedStore, readOnlyStore, withImportLease } from './import-lease.ts';

async function anImport(engine: TestEngine) {
  const place = await engine.place();
  const store = await engine.store(tableOwners(), place);
  let now = noon;
  const needs = { store, clock: () => now };
  const turns = async () => (await store.db.selectFrom('leases').selectAll().execute()).length;
  const pass = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  return { store, turns, pass, place, take: withImportLease.bind(undefined, needs) };
}

const importer = (holder: string) => ({ holder, what: 'The export file old.xml' });
const nothing = async () => 'nothing';

onBothStores('The lease of an import', (engine) => {
  test('is held by one import at a time, which others are told of', async () => {
    const { take, turns } = await anImport(engine);
    await take(importer(thisProcess()), async () => {
      await assert.rejects(take(importer('process 7 on another'), nothing), {
        code: 'import_under_way',
        message: `The export file old.xml is being imported by process ${process.pid} on ${hostname()} since 2026-11-20T12:00 UTC. Please wait until that has ended.`,
      });
    });
    assert.equal(await turns(), 0);
    await assert.rejects(
      take(importer('a'), async () => {
        throw new Error('broken off');
      }),
      { message: 'broken off' },
    );
    assert.equal(await take(importer('b'), nothing), 'nothing');
  });

  test('is lost by silence, and with it the right to write', async () => {
    const { take, pass, store } = await anImport(engine);
    const say = (turn: LeasedStore, what: string) =>
      turn.write((tx) => tx.updateTable('leases').set({ detail: what }).execute());
    await take(importer('a'), async (first) => {
      pass(minute - 1);
      await say(first, 'Once');
      pass(minute - 1);
      await assert.rejects(take(importer('b'), nothing), { code: 'import_under_way' });
      pass(2);
      await take(importer('b'), async () => {
        await assert.rejects(
          say(first, 'Twice'),
          (error) => error instanceof Unavailable && error.code === 'import_under_way',
        );
        const [turn] = await store.db.selectFrom('leases').selectAll().execute();
        assert.deepEqual([turn?.holder, turn?.detail], ['b', 'The export file old.xml']);
      });
    });
  });

  test('is taken over at once from a process of this machine that died, and by the job that had it', async () => {
    const { take } = await anImport(engine);
    const died = spawnSync(process.execPath, ['--version']).pid;
    await take(importer(`process ${died} on ${hostname()}`), async () => {
      await take(importer('job x'), async (first) => {
        await take(importer('job x'), nothing);
        await assert.rejects(first.write(nothing), Unavailable);
      });
    });
    await take(importer(`process ${died} on another`), () => assert.rejects(take(importer('a'), nothing)));
  });

  test('is not taken by a dry run', async () => {
    const { store } = await anImport(engine);
    await assert.rejects(readOnlyStore(store).write(nothing), /A dry run cannot write/);
  });
});

const stuck = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

onEngine('postgres', 'The lease of an import', (engine) => {
  test('is kept by a write that takes longer than the lease lives', async () => {
    const { take, pass, place, store } = await anImport(engine);
    const areWaiting = async () => (await asked(place.database ?? '', stuck)).length;
    await take(importer('a'), async (first) => {
      // As another process would, not as a part of the write that is under way.
      const asOther = AsyncResource.bind(() => take(importer('b'), nothing).catch((error) => error.code));
      let other: Promise<unknown> | undefined;
      pass(1);
      await first.write(async () => {
        pass(minute + 1);
        other = asOther();
        await soon(areWaiting, 1);
      });
      assert.equal(await other, 'import_under_way');
      await first.write(nothing);
    });
    assert.deepEqual(await store.db.selectFrom('leases').selectAll().execute(), []);
  });
});
