import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Reads } from './handles.ts';
import type { Store } from './store.ts';

const titles = async (db: Reads<ShelfTables>) =>
  (await db.selectFrom('books').select('title').orderBy('title').execute()).map(({ title }) => title);

onBothStores('Looking at a store that stands still', (engine) => {
  test('shows what was committed when it began, whatever is written meanwhile', async () => {
    const store: Store<ShelfTables> = await engine.store([shelf]);
    const add = (title: string) => store.write((tx) => tx.insertInto('books').values({ title }).execute());
    await add('Emma');
    const seen = await store.still(async (db) => {
      const before = await titles(db);
      await add('Ulysses');
      return [before, await titles(db), await titles(store.db)];
    });
    assert.deepEqual(seen, [['Emma'], ['Emma'], ['Emma', 'Ulysses']]);
  });

  test('writes nothing, and what fails is thrown on', async () => {
    const store: Store<ShelfTables> = await engine.store([shelf]);
    const writing = store.still((db) => sql`insert into books (title) values ('Emma')`.execute(db as never));
    await assert.rejects(writing);
    assert.deepEqual(await store.still(titles), []);
  });
});
