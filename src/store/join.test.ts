import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Store } from './store.ts';

onBothStores('A write that can join', (engine) => {
  const aShelf = (): Promise<Store<ShelfTables>> => engine.store([shelf]);
  const add = ({ join }: Store<ShelfTables>, title: string) =>
    join((tx) => tx.insertInto('books').values({ title }).returning('title').executeTakeFirstOrThrow());
  const titles = async ({ db }: Store<ShelfTables>) =>
    (await db.selectFrom('books').select('title').orderBy('title').execute()).map(({ title }) => title);

  test('is kept with the write under way', async () => {
    const store = await aShelf();
    const added = await store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'outer' }).execute();
      return add(store, 'inner');
    });
    assert.equal(added.title, 'inner');
    assert.deepEqual(await titles(store), ['inner', 'outer']);
  });

  test('is undone with the write under way', async () => {
    const store = await aShelf();
    const failed = store.write(async () => {
      await add(store, 'inner');
      throw new Error('changed my mind');
    });
    await assert.rejects(failed, /changed my mind/);
    assert.deepEqual(await titles(store), []);
  });

  test('is a write of its own where none is under way, also after the one it was called in', async () => {
    const store = await aShelf();
    await add(store, 'alone');
    let after: Promise<unknown> = Promise.resolve();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    await store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'outer' }).execute();
      after = ended.then(() => add(store, 'after'));
    });
    resolve();
    await after;
    assert.deepEqual(await titles(store), ['after', 'alone', 'outer']);
  });

  test('tells who follows the changes, once the write under way is kept', async () => {
    const store = await aShelf();
    const before = store.changes.at('books');
    await store.write(() => add(store, 'inner'));
    assert.notEqual(store.changes.at('books'), before);
  });
});
