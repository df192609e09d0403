import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Generated, sql } from 'kysely';
import { onBothStores } from '#test/databases.ts';
import { type Flag, flag, type Instant, instant, type JsonText } from './columns.ts';
import type { TableOwner } from './migrate.ts';
import type { Store } from './store.ts';

interface Tables {
  things: {
    id: Generated<number>;
    whole: number | null;
    part: number | null;
    words: string | null;
    yes: Flag | null;
    document: JsonText | null;
    moment: Instant | null;
    raw: Uint8Array | null;
  };
}

const things: TableOwner = {
  owner: 'things',
  migrations: [
    {
      name: '0001',
      up: async ({ table, column }) => {
        await table('things')
          .addColumn('id', column.id)
          .addColumn('whole', column.integer)
          .addColumn('part', column.real)
          .addColumn('words', column.text)
          .addColumn('yes', column.flag)
          .addColumn('document', column.json)
          .addColumn('moment', column.instant)
          .addColumn('raw', column.bytes)
          .execute();
      },
    },
  ],
};

onBothStores('Columns', (engine) => {
  const opened = (): Promise<Store<Tables>> => engine.store([things]);
  const nothing = { whole: null, part: null, words: null, yes: null, document: null, moment: null, raw: null };

  test('give back what was put in', async () => {
    const store = await opened();
    const row = {
      whole: 2 ** 53 - 1,
      part: 0.1,
      words: 'Zoë 漢字 👩‍👧 \\ % \' "',
      yes: flag(true),
      document: '{"a": [1, null]}',
      moment: instant(new Date(1767322985678)),
      raw: new Uint8Array([0, 255, 10]),
    };
    await store.write((tx) => tx.insertInto('things').values([row, nothing]).execute());
    const [full, empty] = await store.db.selectFrom('things').selectAll().orderBy('id').execute();
    assert.deepEqual({ ...full, raw: [...(full?.raw ?? [])] }, { id: 1, ...row, raw: [0, 255, 10] });
    assert.equal(row.moment, '2026-01-02T03:03:05.678Z');
    assert.deepEqual({ ...empty }, { id: 2, ...nothing });
  });

  test('sort and compare text byte by byte', async () => {
    const store = await opened();
    const words = ['b', 'B', 'a', 'é', 'A', 'Z'];
    await store.write((tx) =>
      tx
        .insertInto('things')
        .values(words.map((word) => ({ ...nothing, words: word })))
        .execute(),
    );
    const sorted = await store.db.selectFrom('things').select('words').orderBy('words').execute();
    assert.deepEqual(
      sorted.map((row) => row.words),
      ['A', 'B', 'Z', 'a', 'b', 'é'],
    );
    const like = await store.db.selectFrom('things').select('words').where('words', 'like', 'a%').execute();
    assert.deepEqual(
      like.map((row) => row.words),
      ['a'],
    );
  });

  test('never give an id twice, even when the row is gone', async () => {
    const store = await opened();
    const add = () =>
      store.write((tx) => tx.insertInto('things').values(nothing).returning('id').executeTakeFirstOrThrow());
    const { id } = await add();
    await store.write((tx) => tx.deleteFrom('things').execute());
    assert.equal((await add()).id, id + 1);
  });

  test('count, sum and compare to plain numbers', async () => {
    const store = await opened();
    await store.write((tx) =>
      tx
        .insertInto('things')
        .values([
          { ...nothing, whole: 2 },
          { ...nothing, whole: 3 },
        ])
        .execute(),
    );
    const row = await store.db
      .selectFrom('things')
      .select(({ fn }) => [
        fn.countAll<number>().as('n'),
        fn.sum<number>('whole').as('sum'),
        sql<Flag>`max(whole) = 3`.as('three'),
      ])
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...row }, { n: 2, sum: 5, three: 1 });
  });

  test('refuse what is not of their type', async () => {
    const store = await opened();
    const wrong = 'three' as unknown as number;
    await assert.rejects(
      store.write((tx) =>
        tx
          .insertInto('things')
          .values({ ...nothing, whole: wrong })
          .execute(),
      ),
    );
  });

  test('refuse a number too large to be read exactly instead of rounding it', async () => {
    const store = await opened();
    await store.write((tx) => sql`insert into things (whole) values (9007199254740993)`.execute(tx));
    await assert.rejects(store.db.selectFrom('things').selectAll().execute(), RangeError);
  });
});
