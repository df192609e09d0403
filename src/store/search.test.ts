import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import type { TableOwner } from './migrate.ts';
import { index, indexNew, matching, type Searchable, searchTable, unindex } from './search.ts';
import type { Store } from './store.ts';

interface Tables {
  notes: { id: number; title: string; body: string };
}

const searched = {
  table: 'notes_search',
  id: 'notes.id',
  columns: { title: 'notes.title', body: 'notes.body' },
} as const satisfies Searchable<string>;

const owner: TableOwner = {
  owner: 'notes',
  migrations: [
    {
      name: '0001-notes',
      up: async (schema) => {
        await schema
          .table('notes')
          .addColumn('id', schema.column.integer, (c) => c.primaryKey())
          .addColumn('title', schema.column.text, (c) => c.notNull())
          .addColumn('body', schema.column.text, (c) => c.notNull())
          .execute();
        await searchTable(schema, searched.table, Object.keys(searched.columns));
      },
    },
  ],
};

type Column = keyof typeof searched.columns;

async function someNotes(engine: TestEngine, notes: readonly (readonly [string, string])[]) {
  const store: Store<Tables> = await engine.store([owner]);
  const keep = (id: number, title: string, body: string) =>
    store.write(async (tx) => {
      await tx.deleteFrom('notes').where('id', '=', id).execute();
      await tx.insertInto('notes').values({ id, title, body }).execute();
      await index(tx, searched, id, { title, body });
    });
  for (const [at, [title, body]] of notes.entries()) await keep(at + 1, title, body);
  const find = async (term: string, columns: readonly Column[] = ['title', 'body']) => {
    const found = matching(store.engine, searched, columns, term);
    const rows = await store.db.selectFrom('notes').select('id').where(found).orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  return { store, keep, find };
}

onBothStores('search', (engine) => {
  test('finds a text by any part of it, in the columns that are asked', async () => {
    const { find } = await someNotes(engine, [
      ['harvest festival', 'bring apples'],
      ['apple pie', 'for the festival'],
      ['nothing', 'at all'],
    ]);
    assert.deepEqual(await find('apple'), [1, 2]);
    assert.deepEqual(await find('vest fes'), [1]);
    assert.deepEqual(await find('festival', ['body']), [2]);
    assert.deepEqual(await find('festivals'), []);
    assert.deepEqual(await find('vestfes'), []);
    assert.deepEqual(await find('apple', []), []);
  });

  test('a term of one or two characters is found too', async () => {
    const { find } = await someNotes(engine, [
      ['ox', 'a'],
      ['box', '日本'],
    ]);
    assert.deepEqual(await find('ox'), [1, 2]);
    assert.deepEqual(await find('b'), [2]);
    assert.deepEqual(await find('日本'), [2]);
    assert.deepEqual(await find('%'), []);
  });

  test('signs of a search language mean themselves', async () => {
    const odd = [
      '100% sure',
      'snake_case',
      'say "hi" now',
      "it's",
      'a OR b',
      'title:x',
      '(x*)',
      'back\\slash',
      'wow!!!',
    ];
    const { find } = await someNotes(
      engine,
      odd.map((title) => [title, ''] as const),
    );
    for (const [at, title] of odd.entries()) assert.deepEqual(await find(title), [at + 1], title);
    for (const term of ['___', '%%%', '"""', 'NOT', 'NEAR(a b)', 'title : say', '} : "x', '\u0000\u0000\u0000'])
      assert.deepEqual(await find(term), [], term);
    assert.deepEqual(await find('x'.repeat(20_000)), []);
  });

  test('what changed is found by what it is now, and what is gone by nothing', async () => {
    const { store, keep, find } = await someNotes(engine, [['first', 'draft']]);
    await keep(1, 'second', 'edition');
    assert.deepEqual([await find('first'), await find('draft'), await find('second')], [[], [], [1]]);
    await store.write((tx) => unindex(tx, searched, 1));
    assert.deepEqual(await find('second'), []);
    assert.deepEqual(await store.check(), []);
  });

  test('nothing of a write that failed is found', async () => {
    const { store, find } = await someNotes(engine, [['first', '']]);
    const failing = store.write(async (tx) => {
      await index(tx, searched, 1, { title: 'never', body: '' });
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.deepEqual([await find('never'), await find('first')], [[], [1]]);
  });

  test('whoever searched hears of what is indexed', async () => {
    const { store, keep, find } = await someNotes(engine, [['first', '']]);
    const { tables } = await store.tracing(() => find('first'));
    assert.ok(tables.has('notes_search'));
    const before = store.changes.at('notes_search');
    await keep(2, 'second', '');
    assert.ok(store.changes.at('notes_search') > before);
  });

  test('in an index of many texts one may go, and the next write finds nothing strange', async () => {
    const { store } = await someNotes(engine, []);
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      rowid: at + 1,
      title: `harvest ${at}`,
      body: `apples ${at * 7919} and pears`,
    }));
    for (let from = 0; from < rows.length; from += 100)
      await store.write((tx) => indexNew(tx, searched, rows.slice(from, from + 100)));
    for (const { rowid } of rows.slice(0, 300)) await store.write((tx) => unindex(tx, searched, rowid));
    await store.write((tx) => tx.insertInto('notes').values({ id: 1, title: '', body: '' }).execute());
    assert.equal((await store.db.selectFrom('notes').selectAll().execute()).length, 1);
  });
});
