import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type Place } from '#test/databases.ts';
import { soon } from '#test/soon.ts';
import { blockOf } from '../addresses/block.ts';
import { createBans } from './bans.ts';
import { createEnforced, keyOf } from './enforced.ts';
import { banMigrations, quietBanTables } from './tables.ts';

const owner = { owner: 'secsuite', migrations: banMigrations, quiet: quietBanTables };
const byNobody = { actor: null, comment: '' };

eachEngine('Bans in force', (engine) => {
  /** A process: a store of its own, and what it knows of bans. */
  const aProcess = async (place: Place) => {
    const store = await engine.store([owner], place);
    const stop = new AbortController();
    engine.atEnd(async () => stop.abort());
    const failures: unknown[] = [];
    const begin = () => createEnforced({ store, failed: (error) => void failures.push(error), stopping: stop.signal });
    const enforced = begin();
    const clock = () => new Date('2026-11-20T12:00:00Z');
    const bans = createBans({ store, clock, enforced, isAuthorised: () => false });
    const add = (host: string) => bans.add({ ...byNobody, block: blockOf(host)! });
    await enforced.ready;
    return { store, enforced, bans, add, begin, failures, stop };
  };
  /** So many addresses of 10.0.0.0/8, written as nobody but a test does. */
  const fill = async ({ store }: Awaited<ReturnType<typeof aProcess>>, many: number): Promise<void> => {
    const rows = Array.from({ length: many }, (_, at) => {
      const host = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
      const key = keyOf(blockOf(host)!);
      return { host, key, type: 'ip' as const, created_at: '2026-11-20T12:00:00.000Z', comment: '' };
    });
    for (let at = 0; at < many; at += 1_000)
      await store.write((tx) =>
        tx
          .insertInto('secsuite_bans')
          .values(rows.slice(at, at + 1_000))
          .execute(),
      );
  };

  test('a ban that one process makes or lifts is told to another', async () => {
    const place = await engine.place();
    const [here, there] = [await aProcess(place), await aProcess(place)];
    const { id } = await here.add('203.0.113.0/24');
    assert.equal(here.enforced.over('203.0.113.7'), id);
    await soon(async () => there.enforced.over('203.0.113.7') === id, true);
    await there.bans.remove(id);
    assert.equal(there.enforced.over('203.0.113.7'), undefined);
    await soon(async () => here.enforced.over('203.0.113.7') === undefined, true);
    const again = await there.add('203.0.113.0/24');
    await soon(async () => here.enforced.over('203.0.113.7') === again.id, true);
  });

  test('whoever starts later knows them all, whatever stands before and behind them', async () => {
    const place = await engine.place();
    const first = await aProcess(place);
    await fill(first, 9_000);
    const wide = await first.add('10.0.0.0/9');
    const late = await aProcess(place);
    assert.equal(late.enforced.size, 9_001);
    assert.equal(late.enforced.over('10.0.200.1'), wide.id);
    assert.notEqual(late.enforced.over('10.0.34.1'), wide.id);
    assert.equal(late.enforced.over('10.200.0.1'), undefined);
    assert.equal(late.enforced.over('2001:db8::1'), undefined);
    assert.equal(late.enforced.over('no address'), undefined);
    await soon(async () => first.enforced.size === 9_001, true);
  });

  test('while many are read others have their turn, and what is made or lifted meanwhile counts', async () => {
    const process = await aProcess(await engine.place());
    await fill(process, 20_000);
    const early = process.begin();
    assert.equal(early.isReady, false);
    assert.throws(() => early.over('10.0.0.1'));
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (!early.isReady) setImmediate(turn);
    };
    setImmediate(turn);
    const [behind, before] = [await process.add('9.0.0.0/8'), await process.add('11.0.0.0/8')];
    const lifted = await process.bans.covering(blockOf('10.0.0.1')!);
    await process.bans.remove(lifted!.id);
    await early.ready;
    assert.ok(turns > 3, `${turns} turns`);
    assert.equal(early.over('9.1.1.1'), behind.id);
    assert.equal(early.over('11.1.1.1'), before.id);
    assert.equal(early.over('10.0.0.1'), undefined);
    assert.equal(early.size, 20_001);
  });

  test('one that missed what was forgotten reads everything anew', async () => {
    const place = await engine.place();
    const here = await aProcess(place);
    const [one, other] = [await here.add('203.0.113.1'), await here.add('203.0.113.2')];
    await here.store.write(async (tx) => {
      // As if very many had been lifted since.
      await tx.deleteFrom('secsuite_bans').where('id', '=', one.id).execute();
      await tx
        .insertInto('secsuite_bans_lifted')
        .values({ id: 50_000, ban: 49_000, key: keyOf(blockOf('1.1.1.1')!) })
        .execute();
    });
    await here.enforced.refresh();
    assert.equal(here.enforced.over('203.0.113.1'), undefined);
    assert.equal(here.enforced.over('203.0.113.2'), other.id);
  });

  test('when the database was put back to what it was earlier, its bans are in force as they were then', async () => {
    const here = await aProcess(await engine.place());
    const [kept, later] = [await here.add('203.0.113.1'), await here.add('203.0.113.2')];
    await here.store.write((tx) => tx.deleteFrom('secsuite_bans').where('id', '=', later.id).execute());
    await here.enforced.refresh();
    assert.deepEqual([here.enforced.over('203.0.113.1'), here.enforced.over('203.0.113.2')], [kept.id, undefined]);
    await here.bans.remove(kept.id);
    assert.equal(here.enforced.over('203.0.113.1'), undefined);
    await here.store.write(async (tx) => {
      await tx.deleteFrom('secsuite_bans_lifted').execute();
      await tx.insertInto('secsuite_bans').values(kept).execute();
    });
    await here.enforced.refresh();
    assert.equal(here.enforced.over('203.0.113.1'), kept.id);
  });

  test('no more than the last ten thousand that were lifted are remembered', async () => {
    const here = await aProcess(await engine.place());
    const lifted = () => here.store.db.selectFrom('secsuite_bans_lifted').select('id').execute();
    await here.bans.remove((await here.add('203.0.113.1')).id);
    assert.equal((await lifted()).length, 1);
    await here.store.write((tx) =>
      tx
        .insertInto('secsuite_bans_lifted')
        .values({ id: 10_000, ban: 1, key: keyOf(blockOf('1.1.1.1')!) })
        .execute(),
    );
    await here.store.write((_, { numberAbove }) => numberAbove('secsuite_bans_lifted', 10_000));
    await here.bans.remove((await here.add('203.0.113.1')).id);
    assert.deepEqual(
      (await lifted()).map(({ id }) => id),
      [10_000, 10_001],
    );
  });

  test('bans within a write of somebody else stand or fall with it', async () => {
    const { store, bans, enforced } = await aProcess(await engine.place());
    const ban = { ...byNobody, block: blockOf('203.0.113.1')! };
    const undone = store.write(async (tx, during) => {
      await bans.addWithin(tx, during, ban);
      throw new Error('no');
    });
    await assert.rejects(undone, /no/);
    assert.equal(await bans.count(), 0);
    const made = await store.write((tx, during) => bans.addWithin(tx, during, ban));
    await bans.refresh();
    assert.equal(enforced.over('203.0.113.1'), made?.id);
    assert.equal(await store.write((tx, during) => bans.addWithin(tx, during, ban)), undefined);
    assert.deepEqual(
      (await bans.newest(5)).map(({ host }) => host),
      ['203.0.113.1'],
    );
    assert.equal(await bans.count(), 1);
  });

  test('of many who ban the same at once, one does', async () => {
    const place = await engine.place();
    const processes = [await aProcess(place), await aProcess(place)];
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => processes[at % 2]!.add(`203.0.113.${at >> 2}`)),
    );
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 5);
    for (const process of processes) {
      await process.enforced.refresh();
      assert.equal(process.enforced.size, 5);
      assert.deepEqual(process.failures, []);
    }
  });
});
