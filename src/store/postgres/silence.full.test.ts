// Connections that freeze are replaced within seconds; statements that are merely long are left alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Unavailable } from '#lib/failures.ts';
import { testEngine } from '#test/databases.ts';
import { freezing } from '#test/freezing.ts';
import { inTime } from '#test/in-time.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Store } from '../store.ts';

/** What is promised, and what a busy machine is late. */
const most = 3_000 + 1_000;

async function within(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  inTime(performance.now() - begun, milliseconds);
}

describe('A way to PostgreSQL that freezes', () => {
  const engine = testEngine('postgres');

  const aShelf = async () => {
    const { data, database } = await engine.place();
    const way = await freezing(database!);
    engine.atEnd(() => way.close());
    const store = (await engine.store([shelf], { data, database: way.url })) as unknown as Store<ShelfTables>;
    const add = (title: string) => store.write((tx) => tx.insertInto('books').values({ title }).execute());
    const count = async () => (await store.db.selectFrom('books').select('id').execute()).length;
    const slowly = (seconds: number) => sql`select pg_sleep(${sql.lit(seconds)})`;
    // Several connections of both kinds are there before anything freezes.
    const busy = Array.from({ length: 5 }, (_, at) => [slowly(0.1).execute(store.db), add(`book ${at}`)]);
    await Promise.all(busy.flat());
    return { store, way, add, count, slowly };
  };

  test('costs those who ask at most 3 seconds, and no failure, where new connections come through', async () => {
    const { store, way, add, count } = await aShelf();
    way.freeze();
    const asked = Array.from({ length: 20 }, () => within(most, count));
    await Promise.all([...asked, within(most, () => add('after')), within(2_500, () => store.ping())]);
    assert.equal(await count(), 6);
    await within(500, count);
  });

  test('in the middle of a write has all of it begun again, and nothing stays locked', async () => {
    const { store, way, count } = await aShelf();
    let begun = 0;
    const writing = store.write(async (tx) => {
      begun += 1;
      await tx.updateTable('books').set({ lent: 1 }).execute();
      if (begun === 1) way.freeze();
      await tx.insertInto('books').values({ title: 'once' }).execute();
    });
    await within(most, () => writing);
    assert.deepEqual([begun, await count()], [2, 6]);
  });

  test('altogether is told within 3 seconds, and all is well once it thaws', async () => {
    const { store, way, add, count } = await aShelf();
    way.freezeAll();
    const refused = (work: () => Promise<unknown>) => within(most, () => assert.rejects(work(), Unavailable));
    await Promise.all([refused(count), refused(() => add('lost')), refused(() => store.ping())]);
    await Promise.all([refused(count), refused(() => add('lost')), refused(() => store.ping())]);
    way.thaw();
    await within(most, count);
    await within(most, () => add('after'));
    await store.ping();
  });

  test('is not taken from a statement that is long: a read, a write, or one that waits for a lock', async () => {
    const { store, way, slowly } = await aShelf();
    const held = store.write(async (tx, { lock }) => {
      await lock('a long work');
      await slowly(5).execute(tx);
    });
    await pause(200);
    const waits = store.write(async (_, { lock }) => lock('a long work'));
    const views = store.still((db) => slowly(5).execute(db));
    await Promise.all([held, waits, views, slowly(5).execute(store.db)]);
    way.thaw();
  });
});
