import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Crossed, OutOfSpace, Unavailable } from '#lib/failures.ts';
import { keptLog, onBothStores, poolSize, testEngine, withoutPostgres } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { isDangling, isDuplicate, StoreProblem } from './problem.ts';
import { openStore, type Store } from './store.ts';

const titles = async ({ db }: Pick<Store<ShelfTables>, 'db'>) =>
  (await db.selectFrom('books').select('title').orderBy('title').execute()).map(({ title }) => title);

onBothStores('A write', (engine) => {
  const aShelf = (): Promise<Store<ShelfTables>> => engine.store([shelf]);

  test('is there for every reader once it resolves, and gives back what the work gave', async () => {
    const store = await aShelf();
    const add = (title: string) =>
      store.write((tx) => tx.insertInto('books').values({ title }).returning('id').executeTakeFirstOrThrow());
    assert.deepEqual([(await add('Emma')).id, (await add('Ulysses')).id], [1, 2]);
    assert.deepEqual(await titles(store), ['Emma', 'Ulysses']);
  });

  test('that throws leaves nothing behind and passes its error on as it is', async () => {
    const store = await aShelf();
    const refusal = new Error('changed my mind');
    const work = store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'Emma' }).execute();
      throw refusal;
    });
    await assert.rejects(work, (error) => error === refusal);
    assert.deepEqual(await titles(store), []);
  });

  test('is begun once and no more, whatever it throws; four times where it crosses with others each time', async () => {
    const store = await aShelf();
    const failures = [new Error('no'), new TypeError('no'), new Unavailable('no'), new OutOfSpace('no'), new Crossed()];
    const begun = [];
    for (const failure of failures) {
      let times = 0;
      const work = store.write(async (tx) => {
        times += 1;
        await tx.insertInto('books').values({ title: 'Emma' }).execute();
        throw failure;
      });
      await assert.rejects(work, (error) => error === failure);
      begun.push(times);
    }
    assert.deepEqual(begun, [1, 1, 1, 1, 4]);
    assert.deepEqual(await titles(store), []);
  });

  test('is not seen by a reader before it is committed', async () => {
    const store = await aShelf();
    const seen = await store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'Emma' }).execute();
      return { outside: await titles(store), inside: await titles({ db: tx }) };
    });
    assert.deepEqual(seen, { outside: [], inside: ['Emma'] });
  });

  test('of many at once fails alone: the others stand', async () => {
    const store = await aShelf();
    const wanted = ['a', 'b', 'b', 'c', 'a', 'd'];
    const outcomes = await Promise.allSettled(
      wanted.map((title) => store.write((tx) => tx.insertInto('books').values({ title }).execute())),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 4);
    assert.deepEqual(await titles(store), ['a', 'b', 'c', 'd']);
  });

  test('through the handle for reading is refused, written with the builder or as text', async () => {
    const store = await aShelf();
    const db = store.db as unknown as Kysely<ShelfTables>;
    await assert.rejects(db.insertInto('books').values({ title: 'Emma' }).execute(), /use store\.write/);
    await assert.rejects(sql`insert into books (title) values ('Emma')`.execute(db), /use store\.write/);
    await assert.rejects(sql`create table smuggled (id integer)`.execute(db), /read-?only/i);
    assert.deepEqual(await titles(store), []);
  });

  test('inside a write is refused instead of waiting for itself', async () => {
    const store = await aShelf();
    await assert.rejects(
      store.write(() => store.write(async () => {})),
      /A write started inside a write/,
    );
    await store.write((tx) => tx.insertInto('books').values({ title: 'Emma' }).execute());
    assert.deepEqual(await titles(store), ['Emma']);
  });

  test('that never settles is undone after its time, and the next goes through', async () => {
    const store = await aShelf();
    const stuck = store.write(
      async (tx) => {
        await tx.insertInto('books').values({ title: 'Emma' }).execute();
        await new Promise(() => {});
      },
      { limit: 60 },
    );
    await assert.rejects(stuck, Unavailable);
    await store.write((tx) => tx.insertInto('books').values({ title: 'Ulysses' }).execute());
    assert.deepEqual(await titles(store), ['Ulysses']);
  });

  test('is over when it is over: its handle writes nothing later', async () => {
    const store = await aShelf();
    const kept = await store.write(async (tx) => ({ tx }));
    await assert.rejects(kept.tx.insertInto('books').values({ title: 'Emma' }).execute(), /has ended/);
    assert.deepEqual(await titles(store), []);
  });

  test('says why the database refused it, in the same words on both engines', async () => {
    const store = await aShelf();
    const add = () => store.write((tx) => tx.insertInto('books').values({ title: 'Emma' }).execute());
    await add();
    await assert.rejects(add(), (error) => isDuplicate(error) && !isDangling(error));
    const loan = store.write((tx) => tx.insertInto('loans').values({ book: 77 }).execute());
    await assert.rejects(loan, (error) => isDangling(error) && !isDuplicate(error));
  });

  test('holding a lock lets nobody else decide at the same time', async () => {
    const store = await aShelf();
    const lendOnce = () =>
      store.write(async (tx, { lock }) => {
        await lock('lend');
        const lent = await tx.selectFrom('books').select('id').where('title', '=', 'Emma').execute();
        if (lent.length === 0) await tx.insertInto('books').values({ title: 'Emma', lent: 1 }).execute();
        return lent.length;
      });
    const found = await Promise.all(Array.from({ length: 8 }, lendOnce));
    assert.deepEqual(found.sort(), [0, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('what is shared is kept whole before it is locked, or not begun until that is over', async () => {
    const store = await aShelf();
    const put = (at: number) =>
      store.write(async (tx, { share }) => {
        await share('shelf');
        const there = await tx.selectFrom('books').select('id').where('title', '=', 'closed').execute();
        if (there.length === 0)
          await tx
            .insertInto('books')
            .values({ title: `book ${at}` })
            .execute();
      });
    const close = store.write(async (tx, { lock }) => {
      await lock('shelf');
      const before = await tx.selectFrom('books').select('id').execute();
      await tx.insertInto('books').values({ title: 'closed' }).execute();
      return before.length;
    });
    const [known] = await Promise.all([close, ...Array.from({ length: 8 }, (_, at) => put(at))]);
    const books = await store.db.selectFrom('books').select('title').execute();
    assert.equal(books.length, known + 1, 'whoever closed it knew of all that are on it');
  });

  test('counts the rows it touched', async () => {
    const store = await aShelf();
    await store.write((tx) =>
      tx
        .insertInto('books')
        .values([{ title: 'a' }, { title: 'b' }])
        .execute(),
    );
    const { numUpdatedRows } = await store.write((tx) =>
      tx.updateTable('books').set({ lent: 1 }).executeTakeFirstOrThrow(),
    );
    const { numDeletedRows } = await store.write((tx) =>
      tx.deleteFrom('books').where('title', '=', 'a').executeTakeFirstOrThrow(),
    );
    assert.deepEqual([numUpdatedRows, numDeletedRows], [2n, 1n]);
  });
});

onBothStores('A store', (engine) => {
  test('says which tables were read, joins and subqueries included', async () => {
    const store: Store<ShelfTables> = await engine.store([shelf]);
    const { answer, tables } = await store.tracing(() =>
      store.db
        .selectFrom('books')
        .select('title')
        .where('id', 'in', (from) => from.selectFrom('loans').select('book'))
        .execute(),
    );
    assert.deepEqual(answer, []);
    assert.deepEqual([...tables].sort(), ['books', 'loans']);
  });

  test('is sound and awake, and once closed neither reads nor writes', async () => {
    const store: Store<ShelfTables> = await openStore({ ...(await engine.place()), tables: [shelf], log: keptLog() });
    await store.ping();
    assert.deepEqual(await store.check(), []);
    const last = store.write((tx) => tx.insertInto('books').values({ title: 'Emma' }).returning('id').execute());
    await store.close();
    assert.equal((await last).length, 1, 'a write under way is finished first');
    await assert.rejects(store.ping(), Unavailable);
    await assert.rejects(
      store.write(async () => {}),
      Unavailable,
    );
  });

  test('reads and writes at the same time as another store on the same database', async () => {
    const place = await engine.place();
    const stores: Store<ShelfTables>[] = await Promise.all([
      engine.store([shelf], place),
      engine.store([shelf], place),
    ]);
    const add = (store: Store<ShelfTables>, title: string) =>
      store.write((tx) => tx.insertInto('books').values({ title }).execute());
    await Promise.all(stores.flatMap((store, one) => Array.from({ length: 40 }, (_, n) => add(store, `${one}-${n}`))));
    for (const store of stores) assert.equal((await titles(store)).length, 80);
  });
});

describe('On every connection an acknowledged write survives a power cut', () => {
  test('SQLite waits for the disk at every commit (synchronous = 2) and minds foreign keys', async () => {
    const store = await testEngine('sqlite').store([]);
    const asked = async (name: string) => {
      const text = sql<Record<string, unknown>>`${sql.raw(`pragma ${name}`)}`;
      const reader = await text.execute(store.db);
      const writer = await store.write((tx) => text.execute(tx));
      return [reader, writer].map(({ rows }) => Object.values(rows[0] ?? {})[0]);
    };
    assert.deepEqual(await asked('synchronous'), [2, 2]);
    assert.deepEqual(await asked('foreign_keys'), [1, 1]);
    assert.deepEqual(await asked('journal_mode'), ['wal', 'wal']);
    await store.close();
  });

  test('PostgreSQL has fsync and synchronous_commit on', { skip: withoutPostgres }, async () => {
    const store = await testEngine('postgres').store([]);
    const asked = sql<{ fsync: string; commit: string; backend: number }>`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        pg_backend_pid() as backend, pg_sleep(0.05)`;
    const reads = Array.from({ length: poolSize }, () => asked.execute(store.db));
    const writes = Array.from({ length: poolSize }, () => store.write((tx) => asked.execute(tx)));
    const rows = (await Promise.all([...reads, ...writes])).map((answer) => answer.rows[0]);
    assert.equal(
      new Set(rows.map((row) => row?.backend)).size,
      2 * poolSize,
      'every connection of both pools was asked',
    );
    for (const row of rows) assert.deepEqual([row?.fsync, row?.commit], ['on', 'on']);
    await store.close();
  });
});

describe('A store that cannot be opened', () => {
  test('says so in one sentence: an address nobody listens at', async () => {
    const opening = openStore({
      database: 'postgres://gate:hush@127.0.0.1:1/site',
      data: '/nowhere',
      tables: [],
      log: keptLog(),
    });
    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.match(error.message, /^The database postgres:\/\/127\.0\.0\.1:1\/site cannot be reached; .*\.$/);
      return true;
    });
  });
});
