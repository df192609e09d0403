import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Store } from './store.ts';

const add = (store: Store<ShelfTables>, title: string) =>
  store.write((tx) => tx.insertInto('books').values({ title }).returning('id').executeTakeFirstOrThrow());

/** What the store announces from now on. */
function announced(store: Store<ShelfTables>) {
  const topics: string[] = [];
  let wake = () => {};
  store.changes.watch((news) => {
    topics.push(...news);
    wake();
  });
  const next = () => new Promise<void>((resolve) => (wake = resolve));
  return { topics, next };
}

onBothStores('Change counters', (engine) => {
  const aShelf = (): Promise<Store<ShelfTables>> => engine.store([shelf]);

  test('move with every write of their table, and the news is out before the write resolves', async () => {
    const store = await aShelf();
    const { topics } = announced(store);
    const before = store.changes.at('books');
    await add(store, 'Emma');
    assert.deepEqual(topics, ['books']);
    assert.equal(store.changes.at('books'), before + 1);
    await store.write((tx) => tx.updateTable('books').set({ lent: 1 }).execute());
    await store.write((tx) => tx.deleteFrom('books').execute());
    assert.equal(store.changes.at('books'), before + 3);
  });

  test('stay where they are for a write undone, a quiet table and a read', async () => {
    const store = await aShelf();
    const { id } = await add(store, 'Emma');
    const { topics } = announced(store);
    await assert.rejects(add(store, 'Emma'));
    await store.write((tx) => tx.insertInto('loans').values({ book: id }).execute());
    await store.write((tx) => tx.selectFrom('books').selectAll().execute());
    assert.deepEqual(topics, []);
  });

  test('see a write in plain SQL, and topics said by hand', async () => {
    const store = await aShelf();
    const { topics } = announced(store);
    await store.write((tx) => sql`insert into "books" (title) values ('Emma')`.execute(tx));
    await store.write(async (_, { changed }) => changed('weather'));
    assert.deepEqual(topics, ['books', 'weather']);
  });

  test('tell every other process on the same database', async () => {
    const place = await engine.place();
    const [here, there]: Store<ShelfTables>[] = [
      await engine.store([shelf], place),
      await engine.store([shelf], place),
    ];
    assert.ok(here && there);
    const { topics, next } = announced(there);
    const heard = next();
    await add(here, 'Emma');
    await heard;
    assert.deepEqual(topics, ['books']);
    assert.equal(there.changes.at('books'), here.changes.at('books'));
  });

  test('are known from the start to a store opened later', async () => {
    const place = await engine.place();
    const early: Store<ShelfTables> = await engine.store([shelf], place);
    await add(early, 'Emma');
    const late = await engine.store([shelf], place);
    assert.equal(late.changes.at('books'), early.changes.at('books'));
  });

  test('a watcher that fails, or that stopped watching, disturbs nobody', async () => {
    const store = await aShelf();
    store.changes.watch(() => {
      throw new Error('asleep');
    });
    const stop = store.changes.watch(() => assert.fail('it had stopped watching'));
    stop();
    const { topics } = announced(store);
    await add(store, 'Emma');
    assert.deepEqual(topics, ['books']);
  });
});
