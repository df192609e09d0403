import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores } from '#test/databases.ts';
import type { AnyTables } from './handles.ts';
import type { TableOwner } from './migrate.ts';
import { indexNew, searchTable } from './search.ts';
import { holding } from './sought.ts';
import type { Store } from './store.ts';
import { indexNewWords, isInWords, wordsHolding, wordsTable } from './words.ts';

const table = 'notes_words';
const search = 'notes_search';
const columns = ['text', 'more'];

const owner: TableOwner = {
  owner: 'notes',
  migrations: [
    {
      name: '0001-words',
      up: async (schema) => {
        await wordsTable(schema, table, ['shelf']);
        await searchTable(schema, search, columns);
      },
    },
  ],
};

const long = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(40);

const notes: readonly (readonly string[])[] = [
  ['harvest festival', 'bring apples'],
  ['musikfestivals', 'festival, festival!'],
  ['apple-pie', '<b>festivity</b>'],
  ['北京烤鸭很好吃', '𠮷野家 𠮷野家'],
  [long, `${long.slice(7)} the end`],
];

onBothStores('an index of words', (engine) => {
  let store: Store<AnyTables>;

  const keep = (from: number, texts: readonly (readonly string[])[], shelf = 'one') =>
    store.write(async (tx) => {
      const rows = texts.map((one, at) => ({ rowid: from + at, mark: { shelf }, texts: one }));
      await indexNewWords(tx, table, rows);
      const parts = rows.map(({ rowid, texts: [text = '', more = ''] }) => ({ rowid, text, more }));
      await indexNew(tx, { table: search, id: '', columns: { text: '', more: '' } }, parts);
    });

  async function find(term: string): Promise<number[] | undefined> {
    const words = await wordsHolding(store.db, store.engine, { table, search, columns }, term);
    if (words === undefined || words.length === 0) return words && [];
    const found = holding(store.engine, table, { all: [{ words }, { mark: 'shelf', among: ['one'] }] });
    const rows = await store.db.selectFrom(table).select('rowid').where(found).orderBy('rowid').execute();
    return rows.map(({ rowid }) => rowid);
  }

  before(async () => {
    store = await engine.store([owner]);
    await keep(1, notes);
    await keep(100, [['festival', 'on another shelf']], 'two');
  });

  const cases: Readonly<Record<string, number[]>> = {
    festival: [1, 2],
    festiv: [1, 2, 3],
    ali: [],
    usik: [2],
    apple: [1, 3],
    pie: [3],
    ber: [],
    烤鸭很: [4],
    𠮷野家: [4],
    rapple: [],
    [long.slice(0, 25)]: [5],
    [long.slice(20, 45)]: [5],
    [long.slice(-25)]: [5],
    [long.slice(300, 325)]: [5],
    the: [5],
  };
  test('finds where a term is in a word', async () => {
    const found: Record<string, number[] | undefined> = {};
    for (const term of Object.keys(cases)) found[term] = await find(term);
    assert.deepEqual(found, cases);
    assert.deepEqual(
      Object.keys(cases).filter((term) => !isInWords(term)),
      [],
    );
  });

  test('finds every part of a long word, its end too, however long it is', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const wordOf = (length: number, name: string): string =>
      Array.from({ length }, (_, at) => `${name}${letters[at % 26]}${letters[Math.floor(at / 26)]}`)
        .join('')
        .slice(0, length);
    const words = [49, 50, 51, 60, 74, 75, 76, 99, 100, 101, 126].map((length, at) => wordOf(length, letters[at]!));
    await keep(
      500,
      words.map((word) => [word]),
    );
    for (const [at, word] of words.entries())
      for (const from of [0, 1, 24, 25, 26, word.length - 26, word.length - 25]) {
        const part = word.slice(Math.min(from, word.length - 25)).slice(0, 25);
        assert.deepEqual(await find(part), [500 + at], `${word.length} signs, from ${from}`);
      }
  });

  test('is not asked for what is more than a part of a word, or too little of one', () => {
    for (const term of ['apple pie', 'apple-pie', 'al', 'c++', '"end"', long]) assert.equal(isInWords(term), false);
  });

  test('says when very many words hold a term', async () => {
    await keep(200, [[Array.from({ length: 101 }, (_, at) => `zeppelin${at}`).join(' ')]]);
    assert.equal(await find('zeppelin'), undefined);
    assert.deepEqual(await find('zeppelin99'), [200]);
    await keep(210, [[Array.from({ length: 100 }, (_, at) => `walnut${at}`).join(' ')]]);
    assert.deepEqual(await find('walnut'), [210]);
  });

  test('knows a text without words, and one with very many', async () => {
    await keep(300, [[' -- '], [Array.from({ length: 1234 }, (_, at) => `nr${at}`).join('/')]]);
    assert.deepEqual(await find('nr1233'), [301]);
  });

  test('finds a text with very many words as any other, and keeps none of them', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `marrow${at} `).join('');
    await keep(350, [[many], ['', `squash ${'pumpkin '.repeat(30_000)}`], ['squash']]);
    await keep(360, [[many]], 'two');
    assert.deepEqual(await find('row4999'), [350]);
    assert.deepEqual(await find('squash'), [351, 352]);
    assert.deepEqual(await find('marrowfat'), []);
    const { rows } = await sql<{ many: number }>`
      select count(*) as many from ${sql.table(`${table}_known`)} where word like 'marrow%'`.execute(store.db as never);
    assert.equal(rows[0]?.many, 0);
  });

  test('gives a word one number, whoever adds it', async () => {
    const same = ['quincunx rhododendron sycamore'];
    await Promise.all(Array.from({ length: 8 }, (_, at) => keep(400 + at, [same])));
    assert.deepEqual(
      await find('dodendr'),
      Array.from({ length: 8 }, (_, at) => 400 + at),
    );
    const { rows } = await sql<{ many: number }>`
      select count(*) as many from ${sql.table(`${table}_known`)} where word = 'sycamore'`.execute(store.db as never);
    assert.equal(rows[0]?.many, 1);
  });
});
