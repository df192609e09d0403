import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { keptLog, onBothStores, type Place } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Migration, TableOwner } from './migrate.ts';
import { StoreProblem } from './problem.ts';
import { migrateStore, openStore, pendingOf, type Store } from './store.ts';

/** The shelf of a later version. */
const grown: TableOwner = {
  ...shelf,
  migrations: [
    ...shelf.migrations,
    {
      name: '0002-authors',
      up: async ({ db, table, column }) => {
        await table('authors').addColumn('id', column.id).addColumn('name', column.text).execute();
        await db.insertInto('authors').values({ name: 'unknown' }).execute();
      },
    },
  ],
};

const broken: TableOwner = {
  ...grown,
  migrations: [
    ...grown.migrations,
    {
      name: '0003-oops',
      up: async ({ table, column }) => {
        await table('half').addColumn('id', column.id).execute();
        throw new Error('oops');
      },
    },
  ],
};

const copies = ({ data }: Place) => readdirSync(data).filter((name) => name.includes('before-migration'));

async function lentBook(place: Place) {
  const store: Store<ShelfTables> = await openStore({ ...place, tables: [shelf], log: keptLog() });
  await store.write((tx) => tx.insertInto('books').values({ title: 'Emma', lent: 1 }).execute());
  await store.close();
}

onBothStores('Migrating', (engine) => {
  const migrate = (place: Place, tables: TableOwner[]) => migrateStore({ ...place, tables, log: keptLog() });

  test('refuses two migrations of one name, and makes nothing', async () => {
    const place = await engine.place();
    const twice = { ...shelf, migrations: [...shelf.migrations, ...shelf.migrations] };
    const said = 'Two migrations of shelf are called 0001-shelf; give one of them another name.';
    await assert.rejects(migrate(place, [twice]), { name: 'StoreProblem', message: said });
    assert.equal((await migrate(place, [shelf])).length, 2);
  });

  test('builds an empty database, says what it applied, and has nothing to do the second time', async () => {
    const place = await engine.place();
    const expected = [
      { owner: 'store', name: '0001-changes' },
      { owner: 'shelf', name: '0001-shelf' },
    ];
    assert.deepEqual(await pendingOf({ ...place, tables: [shelf], log: keptLog() }), expected);
    assert.deepEqual(await migrate(place, [shelf]), expected);
    assert.deepEqual(await migrate(place, [shelf]), []);
    assert.deepEqual(copies(place), [], 'a new database needs no copy');
  });

  test('brings an older database up to date and keeps what is in it', async () => {
    const place = await engine.place();
    await lentBook(place);
    assert.deepEqual(await migrate(place, [grown]), [{ owner: 'shelf', name: '0002-authors' }]);
    const store: Store<ShelfTables & { authors: { name: string } }> = await engine.store([grown], place);
    assert.equal((await store.db.selectFrom('books').selectAll().execute())[0]?.title, 'Emma');
    assert.equal((await store.db.selectFrom('authors').select('name').executeTakeFirst())?.name, 'unknown');
  });

  test('that fails leaves the database as it was, and says which migration failed', async () => {
    const place = await engine.place();
    await lentBook(place);
    await assert.rejects(migrate(place, [broken]), (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.match(error.message, /shelf\/0003-oops failed, so the database is unchanged: oops/);
      return true;
    });
    const left = await pendingOf({ ...place, tables: [broken], log: keptLog() });
    assert.deepEqual(
      left.map(({ name }) => name),
      ['0002-authors', '0003-oops'],
    );
  });

  const unseen: [string, Migration['up']][] = [
    [
      'on delete cascade',
      ({ table, column }) =>
        table('pages')
          .addColumn('book', column.integer, (c) => c.references('books.id').onDelete('cascade'))
          .execute(),
    ],
    [
      'on update set null',
      ({ table, column }) =>
        table('pages')
          .addColumn('book', column.integer, (c) => c.references('books.id').onUpdate('set null'))
          .execute(),
    ],
    ['create view', ({ db }) => db.schema.createView('titles').as(db.selectFrom('books').select('title')).execute()],
    ['create temporary trigger', async ({ db }) => void (await sql`create temporary trigger t`.execute(db))],
  ];
  test('refuses what would change or read tables unseen', async () => {
    for (const [what, up] of unseen) {
      const place = await engine.place();
      await lentBook(place);
      const hiding = { ...shelf, migrations: [...shelf.migrations, { name: '0002-hiding', up }] };
      await assert.rejects(migrate(place, [hiding]), {
        name: 'StoreProblem',
        message: new RegExp(`shelf/0002-hiding failed, so the database is unchanged: A migration cannot use "${what}"`),
      });
    }
  });

  test('happens once when several start together', async () => {
    const place = await engine.place();
    await lentBook(place);
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ ...place, tables: [grown], log: keptLog() })));
    const authors = await stores[0]?.db.selectFrom('authors').selectAll().execute();
    assert.equal(authors?.length, 1);
    assert.equal(copies(place).length, engine.name === 'sqlite' ? 1 : 0);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('several that start together on an empty database all find it whole', async () => {
    const place = await engine.place();
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ ...place, tables: [grown], log: keptLog() })));
    assert.equal((await stores[2]?.db.selectFrom('authors').selectAll().execute())?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('refuses a database of a newer version and leaves it alone', async () => {
    const place = await engine.place();
    await migrate(place, [grown]);
    await assert.rejects(openStore({ ...place, tables: [shelf], log: keptLog() }), (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.match(error.message, /written by a newer version \(it has shelf\/0002-authors\)/);
      return true;
    });
    assert.deepEqual(await migrate(place, [grown]), []);
  });

  test('leaves the tables of an owner who is not active now alone', async () => {
    const place = await engine.place();
    await lentBook(place);
    assert.deepEqual(await migrate(place, []), []);
    const store: Store<ShelfTables> = await engine.store([shelf], place);
    assert.equal((await store.db.selectFrom('books').selectAll().execute()).length, 1);
  });

  test('saves a copy first where the engine has one file, and the copy is the database as it was', async () => {
    const place = await engine.place();
    await lentBook(place);
    await migrate(place, [grown]);
    const saved = copies(place);
    if (engine.name === 'postgres') return assert.deepEqual(saved, []);
    assert.equal(saved.length, 1);
    const copy = new DatabaseSync(join(place.data, saved[0] ?? ''), { readOnly: true });
    assert.equal(copy.prepare('select title from books').get()?.title, 'Emma');
    assert.equal(copy.prepare("select count(*) as n from sqlite_schema where name = 'authors'").get()?.n, 0);
    copy.close();
  });
});
