import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { asked, testEngine, withoutPostgres } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { soon } from '#test/soon.ts';
import type { Store } from '../store.ts';

const add = (store: Store<ShelfTables>, title: string) =>
  store.write((tx) => tx.insertInto('books').values({ title }).execute());

async function until(isSo: () => boolean): Promise<void> {
  await soon(async () => isSo(), true);
}

// Whoever commits a book called "slow" waits in its COMMIT, its counter moved already, for whoever holds this lock.
const WAITING = 'pg_advisory_xact_lock(1, 1)';
const SLOW_COMMIT = `
  create function wait_at_commit() returns trigger language plpgsql as $$ begin perform ${WAITING}; return null; end $$;
  create constraint trigger slow after insert on books deferrable initially deferred
    for each row when (new.title = 'slow') execute function wait_at_commit()`;

describe('On PostgreSQL', { skip: withoutPostgres }, () => {
  const engine = testEngine('postgres');

  async function aShelf() {
    const place = await engine.place();
    const store: Store<ShelfTables> = await engine.store([shelf], place);
    const news: string[] = [];
    store.changes.watch((topics) => void news.push(...topics));
    return { place, url: place.database ?? '', store, news };
  }

  /** A transaction somebody else has open. */
  async function holding(url: string, statement: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    engine.atEnd(() => client.end());
    await client.query(`begin; ${statement}`);
    return () => client.end();
  }

  test('a table that got another column meanwhile is read and written as before', async () => {
    const { store, url } = await aShelf();
    const all = () => store.db.selectFrom('books').selectAll().execute();
    const atOnce = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 12 }, ask));
    const change = () =>
      store.write(async (tx) => {
        const [made] = await tx.insertInto('books').values({ title: randomUUID() }).returningAll().execute();
        return tx.updateTable('books').set({ title: randomUUID() }).where('id', '=', made!.id).returningAll().execute();
      });
    // On each connection they are prepared by now.
    for (let round = 0; round < 4; round++) await Promise.all([atOnce(all), atOnce(change)]);
    await asked(url, "alter table books add column place text not null default 'here'");
    const [read, written] = await Promise.all([atOnce(all), atOnce(change)]);
    for (const [book] of [...read, ...written]) assert.equal((book as { place?: string }).place, 'here');
    assert.equal((await all()).length, 60);
  });

  test('as many connections read as the address of the database says', async () => {
    const place = await engine.place();
    const addressWith = (size: string): string => {
      const url = new URL(place.database ?? '');
      url.searchParams.set('pool_size', size);
      return url.href;
    };
    const store: Store<ShelfTables> = await engine.store([shelf], { ...place, database: addressWith('2') });
    const ask = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid;
    assert.equal(new Set(await Promise.all(Array.from({ length: 30 }, ask))).size, 2);
    for (const size of ['0', '1', '101', 'many'])
      await assert.rejects(engine.store([shelf], { ...place, database: addressWith(size) }), {
        message: new RegExp(`^The pool_size in .* is ${size}; give connections, from 2 to 100\\.$`),
      });
    for (const seconds of ['0', '601', 'soon'])
      await assert.rejects(
        engine.store([shelf], { ...place, database: `postgres://a@127.0.0.1:1/b?connect_timeout=${seconds}` }),
        {
          message: new RegExp(`^The connect_timeout in .* is ${seconds}; give seconds, from 1 to 600\\.$`),
        },
      );
  });

  test('sixteen writers of one table do not wait for the commit of another', async () => {
    const { store, url } = await aShelf();
    await asked(url, SLOW_COMMIT);
    const release = await holding(url, `select ${WAITING}`);
    let isDone = false;
    const slow = add(store, 'slow').then(() => {
      isDone = true;
    });
    await Promise.all(Array.from({ length: 16 }, (_, n) => add(store, `quick ${n}`)));
    assert.equal(isDone, false);
    assert.equal(store.changes.at('books'), 16);
    await release();
    await slow;
    assert.equal(store.changes.at('books'), 17);
  });

  test('a commit nobody was told of is seen', async () => {
    const { store, url, news } = await aShelf();
    await add(store, 'Emma');
    news.length = 0;
    // As if another process had ended between its commit and its notice.
    await asked(url, "insert into changes (topic, slot, counter) values ('books', 1000, 1)");
    await until(() => news.length > 0);
    assert.deepEqual(news, ['books']);
    assert.equal(store.changes.at('books'), 2);
  });

  test('notices follow the commits, one for many of them', async () => {
    const { store, url } = await aShelf();
    const notices: string[] = [];
    const listener = new pg.Client({ connectionString: url });
    listener.on('notification', ({ payload = '' }) => void notices.push(payload));
    await listener.connect();
    await listener.query('listen gatehouse_changes');
    await Promise.all(Array.from({ length: 50 }, (_, n) => add(store, `${n}`)));
    const told = () => {
      const latest = new Map<number, number>();
      for (const [, slot, counter] of notices.flatMap((text) => JSON.parse(text) as [string, number, number][]))
        latest.set(slot, counter);
      return latest.values().reduce((sum, counter) => sum + counter, 0);
    };
    await until(() => told() === 50);
    assert.ok(notices.length < 25, `${notices.length} notices`);
    await listener.end();
  });

  test('a database put back to an older state is news', async () => {
    const { store, url, news } = await aShelf();
    await add(store, 'Emma');
    await add(store, 'Ulysses');
    news.length = 0;
    await asked(url, 'delete from changes');
    await until(() => news.length > 0);
    assert.deepEqual([news, store.changes.at('books')], [['books'], 0]);
  });

  test('what a stranger sends on the channel misleads nobody for longer than a look', async () => {
    const { store, url, place } = await aShelf();
    const other: Store<ShelfTables> = await engine.store([shelf], place);
    await add(store, 'Emma');
    for (const said of ['', 'boo', 'null', '[null]', '[["books"]]', '[["books",0,1000000]]'])
      await asked(url, `select pg_notify('gatehouse_changes', '${said}')`);
    await add(other, 'Ulysses');
    await until(() => store.changes.at('books') === 2);
    assert.ok(store.changes.isCurrent);
  });

  test('nothing is current while the counters cannot be looked at, and all is again as soon as they can', async () => {
    const { store, url } = await aShelf();
    assert.ok(store.changes.isCurrent);
    const release = await holding(url, 'lock table changes in access exclusive mode');
    await until(() => !store.changes.isCurrent);
    await release();
    await until(() => store.changes.isCurrent);
  });

  test('writes that cross are both done, one of them from the start again', async () => {
    const { store } = await aShelf();
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const crossing = (
      title: string,
      [first, second]: readonly [string, string],
      mine: () => void,
      theirs: Promise<void>,
    ) =>
      store.write(async (tx, { lock }) => {
        begun += 1;
        await lock(first);
        await tx.insertInto('books').values({ title }).execute();
        mine();
        await theirs;
        await lock(second);
      });
    await Promise.all([
      crossing('Emma', ['a', 'b'], one.resolve, two.promise),
      crossing('Ulysses', ['b', 'a'], two.resolve, one.promise),
    ]);
    assert.equal(begun, 3);
    const books = await store.db.selectFrom('books').select('title').orderBy('title').execute();
    assert.deepEqual(books, [{ title: 'Emma' }, { title: 'Ulysses' }]);
  });

  test('a write that crosses each time is given up, and says so', async () => {
    const { store } = await aShelf();
    let begun = 0;
    const crossing = sql`do $$ begin raise exception 'crossed' using errcode = '40001'; end $$`;
    const write = store.write(async (tx) => {
      begun += 1;
      await crossing.execute(tx);
    });
    await assert.rejects(write, { name: 'Crossed', code: 'crossed', retryAfter: 1 });
    assert.equal(begun, 4);
  });

  test('a write that passes over a failed statement is undone whole and says so', async () => {
    const { store } = await aShelf();
    const careless = store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'careless' }).execute();
      await tx
        .insertInto('loans')
        .values({ book: -1 })
        .execute()
        .catch(() => {});
    });
    await assert.rejects(careless, /the whole write was undone/);
    assert.deepEqual(await store.db.selectFrom('books').select('id').execute(), []);
  });

  test('a connection that writes takes no statement outside a transaction that says it writes', async () => {
    const { store } = await aShelf();
    const settings = sql<Record<string, string>>`
      select current_setting('default_transaction_read_only') as alone, current_setting('transaction_read_only') as here`;
    const { rows } = await store.write((tx) => settings.execute(tx));
    assert.deepEqual(rows, [{ alone: 'on', here: 'off' }]);
  });
});
