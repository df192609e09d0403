import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { AnyTables } from './handles.ts';
import { tablesOf } from './statements.ts';

const db = new Kysely<AnyTables>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const cases = [
  ['a select', db.selectFrom('a').selectAll(), ['a'], []],
  ['a join', db.selectFrom('a as x').innerJoin('b', 'b.id', 'x.id').selectAll(), ['a', 'b'], []],
  ['an insert', db.insertInto('a').values({ n: 1 }), ['a'], ['a']],
  [
    'an insert that reads',
    db.insertInto('a').columns(['n']).expression(db.selectFrom('b').select('n')),
    ['a', 'b'],
    ['a'],
  ],
  [
    'an upsert',
    db
      .insertInto('a')
      .values({ n: 1 })
      .onConflict((on) => on.column('n').doUpdateSet({ n: 2 })),
    ['a'],
    ['a'],
  ],
  [
    'an update',
    db.updateTable('a as x').set({ n: 1 }).where('n', 'in', db.selectFrom('b').select('n')),
    ['a', 'b'],
    ['a'],
  ],
  ['an update from', db.updateTable('a').from('b').set({ n: 1 }), ['a', 'b'], ['a']],
  ['a delete', db.deleteFrom('a').where('n', 'in', db.selectFrom('b').select('n')), ['a', 'b'], ['a']],
  [
    'a write inside a with',
    db
      .with('gone', (q) => q.deleteFrom('a').returningAll())
      .selectFrom('gone')
      .selectAll(),
    ['a', 'gone'],
    ['a'],
  ],
] as const;

describe('The tables of a statement', () => {
  test('are read off each kind of statement', () => {
    for (const [name, query, tables, written] of cases) {
      const touched = tablesOf(query.compile());
      assert.deepEqual([[...touched.tables].sort(), [...touched.written]], [tables, written], name);
    }
  });

  const readers = [
    ['a fragment inside a built statement', db.selectFrom('a').select(sql`(select count(*) from two)`.as('n'))],
    ['a table handed to a fragment', db.selectFrom('a').select(sql`(select max(n) from ${sql.table('two')})`.as('n'))],
    ['a fragment in a condition', db.selectFrom('a').selectAll().where(sql<boolean>`exists (select 1 from one, two)`)],
    ['a fragment that is the table', db.selectFrom(sql`two`.as('x')).selectAll()],
    ['a reference inside plain SQL', sql`select * from one, ${sql.ref('two')}`],
    ['a list', sql`select * from one, two`],
    ['a list of names with schemas', sql`select * from main.one o, main.two`],
    ['quoted names', sql`select * from "my one", "main"."two"`],
    ['capitals', sql`SELECT * FROM TWO`],
  ] as const;

  test('are missed in no plain SQL', () => {
    const offenders = readers.filter(([, query]) => {
      const { tables, written } = tablesOf(query.compile(db));
      return !tables.has('two') || written.size > 0;
    });
    assert.deepEqual(
      offenders.map(([name]) => name),
      [],
    );
  });

  const writers = [
    ['insert into main.two values (1)', ['two']],
    ['insert into "main"."two" values (1)', ['two']],
    ['insert or replace into two values (1)', ['two']],
    ['update only two set n = 1', ['two']],
    ['update or ignore "my two" set n = 1', ['my two']],
    ['delete from main . two', ['two']],
    ['truncate table one, public.two', ['one', 'two']],
    ['insert into two values (1) on conflict do update set n = 1', ['two']],
    ['select * from two for update of two', []],
    ['select * from two for no key update', []],
  ] as const;

  test('that are written by plain SQL are known', () => {
    const found = writers.map(([text]) => [text, [...tablesOf(sql.raw(text).compile(db)).written]]);
    assert.deepEqual(found, writers);
  });

  test('that a fragment of a built statement writes are written', () => {
    const query = db
      .with('gone', () => sql<{ n: number }>`delete from two returning n`)
      .selectFrom('gone')
      .selectAll();
    assert.deepEqual([...tablesOf(query.compile()).written], ['two']);
  });

  test('are read off plain SQL too', () => {
    const text = sql`with x as (delete from "a" returning n) insert into b select n from x join c on true`;
    const touched = tablesOf(text.compile(db));
    assert.deepEqual([...touched.written].sort(), ['a', 'b']);
    assert.ok(touched.tables.has('c'));
  });
});

describe('A statement that writes', () => {
  const upsert = db
    .insertInto('a')
    .values({ n: 1 })
    .onConflict((on) => on.column('n').doUpdateSet({ n: 2 }));
  const told = [
    ['makes rows', db.insertInto('a').values({ n: 1 }), [{ table: 'a', action: 'create' }]],
    ['makes or changes rows', upsert, [{ table: 'a', action: 'change' }]],
    [
      'changes rows, which columns of them',
      db.updateTable('a').set({ n: sql`n + 1` }).where('n', 'in', db.selectFrom('b').select('n')),
      [{ table: 'a', action: 'change', columns: ['n'] }],
    ],
    ['takes rows away', db.deleteFrom('a').where('n', '=', 1), [{ table: 'a', action: 'delete' }]],
    ['reads', db.selectFrom('a').selectAll(), []],
  ] as const;
  test('says how it changes which table', () => {
    const found = told.map(([what, query]) => [what, tablesOf(query.compile()).changes]);
    assert.deepEqual(
      found,
      told.map(([what, , changes]) => [what, changes]),
    );
  });
});
