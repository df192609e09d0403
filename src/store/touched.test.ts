import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { AnyTables } from './any.ts';
import { tablesOf } from './touched.ts';

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
  ['an expression', db.selectFrom('a').select(sql`(select max(n) from ${sql.table('b')})`.as('n')), ['a', 'b'], []],
] as const;

describe('The tables of a statement', () => {
  for (const [name, query, tables, written] of cases) {
    test(`are read off ${name}`, () => {
      const touched = tablesOf(query.compile());
      assert.deepEqual([...touched.tables].sort(), tables);
      assert.deepEqual([...touched.written], written);
    });
  }

  test('are read off plain SQL too', () => {
    const text = sql`with x as (delete from "a" returning n) insert into b select n from x join c on true`;
    const touched = tablesOf(text.compile(db));
    assert.deepEqual([...touched.written].sort(), ['a', 'b']);
    assert.ok(touched.tables.has('c'));
  });
});
