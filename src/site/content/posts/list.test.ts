import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fold } from '#lib/fold.ts';
import { siteTables } from '#site/tables.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { count } from '../../platform/totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import { indexNewPost, titleKey } from './found-by.ts';
import type { Post, Wanted } from './post.ts';
import { createPostReading } from './posts.ts';
import { columns, recount } from './rows.ts';

interface Given extends Partial<Omit<Post, 'id'>> {
  readonly title: string;
  readonly terms?: readonly number[];
}

const standard = {
  type: 'post',
  status: 'publish',
  author: 1,
  parent: 0,
  menu_order: 0,
  password: '',
  comment_status: 'open',
  ping_status: 'open',
  template: '',
  format: '',
  sticky: 0,
  featured_media: 0,
  mime_type: '',
  guid: '',
  version: 1,
  status_before: null,
  excerpt: '',
  content: '',
} as const;

async function keep(tx: Writing, { terms = [], ...given }: Given, at: number): Promise<number> {
  const date = given.date ?? `2026-01-${String(at + 1).padStart(2, '0')}T12:00:00`;
  const row = { ...standard, slug: fold(given.title).replaceAll(' ', '-'), ...given, date };
  const post = await tx
    .insertInto('posts')
    .values({
      ...row,
      date_gmt: date,
      modified: given.modified ?? date,
      modified_gmt: date,
      title_key: titleKey(row.title),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await indexNewPost(tx, post);
  await recount(tx, undefined, post);
  const { id, type, status } = post;
  for (const term_id of terms) {
    const taxonomy = term_id > 10 ? 'post_tag' : 'category';
    await tx.insertInto('post_terms').values({ term_id, post_id: id, taxonomy, type, status, date }).execute();
    if (status === 'publish') await count(tx, totalTopics.terms, { [`${term_id}/${type}/${status}`]: 1 });
  }
  return id;
}

/** Category 1 has 2 below it; 11 and 12 are tags. */
const terms = [1, 2, 3, 11, 12];
const withBelow = async (ids: readonly number[]) => (ids.includes(1) ? [...ids, 2] : ids);

async function aShelf(engine: TestEngine, posts: readonly Given[]) {
  const store = await engine.store(siteTables, await engine.place(siteTables));
  const ids = await store.write(async (tx) => {
    for (const id of terms) {
      const named = { taxonomy: id > 10 ? 'post_tag' : 'category', slug: `t${id}`, name: `T${id}`, name_key: `t${id}` };
      await tx
        .insertInto('terms')
        .values({ id, ...named, description: '', parent: id === 2 ? 1 : 0, count: 0 })
        .execute();
    }
    const kept: number[] = [];
    for (const [at, post] of posts.entries()) kept.push(await keep(tx, post, at));
    return kept;
  });
  const reading = createPostReading({ store, terms: { withBelow } });
  const page = {
    types: ['post'],
    statuses: ['publish'],
    limit: 100,
    offset: 0,
    order: 'desc',
    orderBy: 'date',
  } as const;
  const ask = async (wanted: Partial<Wanted> = {}) => {
    const { items, total } = await reading.list({ ...page, ...wanted });
    return { titles: items.map(({ title }) => title), total };
  };
  const list = async (wanted: Partial<Wanted> = {}) => {
    const { titles, total } = await ask(wanted);
    assert.equal(total, titles.length);
    // Totals are right too where no page is full, or past the end.
    const beyond = await ask({ ...wanted, offset: 1, limit: 1 });
    assert.deepEqual(beyond, { titles: titles.slice(1, 2), total });
    assert.equal((await ask({ ...wanted, offset: 1000 })).total, total);
    return titles;
  };
  return { store, reading, ids, ask, list };
}

const shelf: readonly Given[] = [
  { title: 'apple', author: 1, terms: [1, 11], content: 'a river and a stone' },
  { title: 'Éclair', author: 2, terms: [2, 11], excerpt: 'river stone', menu_order: 3 },
  { title: 'berry', author: 2, terms: [3], format: 'aside', content: 'the river stone' },
  { title: 'River stone', author: 3, terms: [1, 3], sticky: 1 },
  { title: 'stone river', author: 1, terms: [12], content: 'Zoë was here', modified: '2026-03-01T00:00:00' },
  { title: 'draft of a river', status: 'draft', author: 1, terms: [1] },
  { title: 'own', status: 'private', author: 3, terms: [1] },
  { title: 'top', type: 'page' },
  { title: 'below', type: 'page', parent: 8, menu_order: 2 },
  { title: 'picture', type: 'attachment', status: 'inherit', mime_type: 'image/png', parent: 1 },
  { title: 'letter', type: 'attachment', status: 'inherit', mime_type: 'application/pdf' },
];
type Shelf = Awaited<ReturnType<typeof aShelf>>;
const all = ['stone river', 'River stone', 'berry', 'Éclair', 'apple'];

onBothStores('the list of records', (engine) => {
  let list: Shelf['list'];
  let ask: Shelf['ask'];
  let reading: Shelf['reading'];
  let ids: Shelf['ids'];
  let [apple, eclair, berry, riverStone, stoneRiver] = [0, 0, 0, 0, 0];
  before(async () => {
    ({ list, ask, reading, ids } = await aShelf(engine, shelf));
    [apple, eclair, berry, riverStone, stoneRiver] = ids as [number, number, number, number, number];
  });
  const numberOf = (title: string): number => ids[shelf.findIndex((one) => one.title === title)]!;

  const orders: [Wanted['orderBy'], string[]][] = [
    ['date', all.toReversed()],
    ['id', all.toReversed()],
    ['title', ['apple', 'berry', 'Éclair', 'River stone', 'stone river']],
    ['slug', ['apple', 'berry', 'Éclair', 'River stone', 'stone river']],
    ['author', ['apple', 'stone river', 'Éclair', 'berry', 'River stone']],
    ['modified', ['apple', 'Éclair', 'berry', 'River stone', 'stone river']],
    ['menu_order', ['apple', 'berry', 'River stone', 'stone river', 'Éclair']],
    ['parent', all.toReversed()],
  ];
  test('comes in each order, and the other way round', () =>
    checkRows(orders, async ([orderBy, expected]) => {
      assert.deepEqual(await list({ orderBy, order: 'asc' }), expected);
      assert.deepEqual(await list({ orderBy }), expected.toReversed());
    }));

  test('comes in the order that was given, a page at a time', async () => {
    const include = [berry, 9999, apple, berry, 2 ** 60, numberOf('top')];
    assert.deepEqual(await list({ orderBy: 'include', include }), ['berry', 'apple']);
    const second = await ask({ orderBy: 'include', include, limit: 1, offset: 1 });
    assert.deepEqual(second, { titles: ['apple'], total: 2 });
    assert.deepEqual(await list({ orderBy: 'include_slugs', slugs: ['berry', 'no', 'apple'] }), ['berry', 'apple']);
  });

  test('puts several types and statuses together in one order', async () => {
    const wanted = { types: ['post', 'page'], statuses: ['publish', 'draft', 'private', 'future'] };
    const expected = ['below', 'top', 'own', 'draft of a river', ...all];
    assert.deepEqual(await list(wanted), expected);
    assert.deepEqual(await list({ ...wanted, order: 'asc' }), expected.toReversed());
    assert.deepEqual((await ask({ ...wanted, limit: 3, offset: 2 })).titles, expected.slice(2, 5));
    assert.deepEqual(await list({ ...wanted, authors: [3] }), ['own', 'River stone']);
    assert.deepEqual(await list({ ...wanted, search: 'river draft' }), ['draft of a river']);
    assert.deepEqual(await list({ types: [], statuses: [] }), []);
    assert.deepEqual(await list({ statuses: ['request-failed'] }), []);
  });

  const of = (...ids: number[]) =>
    ({ taxonomy: 'category', terms: ids, children: false, operator: 'OR', exclude: false }) as const;
  const tagged = (...ids: number[]) => ({ ...of(...ids), taxonomy: 'post_tag' });
  const filters = (): [string, Partial<Wanted>, string[]][] => [
    ['leaves out numbers', { exclude: [apple, 2 ** 60] }, all.slice(0, 4)],
    ['forgets what to leave out where it is told what to take', { include: [apple], exclude: [apple] }, ['apple']],
    ['takes an empty list for none', { include: [], slugs: [], authors: [], terms: [of()] }, all],
    ['knows authors', { authors: [2, 3] }, ['River stone', 'berry', 'Éclair']],
    ['knows who is not the author', { notAuthors: [2, 3] }, ['stone river', 'apple']],
    ['minds whom to leave out before whom to take', { authors: [1], notAuthors: [2, 3] }, ['stone river', 'apple']],
    ['is empty for nobody', { authors: [2 ** 60] }, []],
    ['knows slugs', { slugs: ['berry', 'apple', 'no\0'] }, ['berry', 'apple']],
    ['comes after a time, not at it', { after: '2026-01-04T12:00:00' }, ['stone river']],
    ['comes before a time, not at it', { before: '2026-01-02T12:00:00' }, ['apple']],
    [
      'knows when they changed',
      { modifiedAfter: '2026-02-01T00:00:00', modifiedBefore: '2027-01-01T00:00:00' },
      ['stone river'],
    ],
    ['knows sticky ones', { sticky: true }, ['River stone']],
    ['knows all but sticky ones', { sticky: false }, all.filter((title) => title !== 'River stone')],
    ['knows sticky ones among numbers', { sticky: true, include: [riverStone, apple] }, ['River stone']],
    ['takes sticky ones too where numbers are given', { sticky: false, include: [riverStone] }, ['River stone']],
    ['knows formats', { formats: ['aside'] }, ['berry']],
    ['knows the standard format', { formats: ['standard', 'aside'] }, all],
    ['knows its place in the menu', { menuOrder: 3 }, ['Éclair']],
    ['knows one category', { terms: [of(1)] }, ['River stone', 'apple']],
    ['knows one category in another order', { terms: [of(1)], orderBy: 'title' }, ['River stone', 'apple']],
    ['knows one category and more', { terms: [of(1)], authors: [1] }, ['apple']],
    ['knows any of some categories', { terms: [of(2, 3)] }, ['River stone', 'berry', 'Éclair']],
    ['knows what is below a category', { terms: [{ ...of(1), children: true }] }, ['River stone', 'Éclair', 'apple']],
    ['knows all of some categories', { terms: [{ ...of(1, 3), operator: 'AND' }] }, ['River stone']],
    ['knows no record of all categories when there is no such one', { terms: [{ ...of(1, 99), operator: 'AND' }] }, []],
    ['knows what is not in a category', { terms: [{ ...of(3), exclude: true }] }, ['stone river', 'Éclair', 'apple']],
    [
      'knows what is neither in a category nor below',
      { terms: [{ ...of(1), exclude: true, children: true }] },
      ['stone river', 'berry'],
    ],
    ['holds two taxonomies to be true', { terms: [of(1, 2), tagged(11)] }, ['Éclair', 'apple']],
    [
      'holds one of two taxonomies to be true',
      { terms: [of(3), tagged(12)], termRelation: 'OR' },
      ['stone river', 'River stone', 'berry'],
    ],
    ['takes no tag for a category', { terms: [of(11)] }, []],
    ['knows files of a kind', { types: ['attachment'], statuses: ['inherit'], mediaTypes: ['image'] }, ['picture']],
    [
      'knows files of any of some kinds',
      { types: ['attachment'], statuses: ['inherit'], mediaTypes: ['image'], mimeTypes: ['application/pdf'] },
      ['letter', 'picture'],
    ],
    ['knows what lies below', { types: ['page'], parents: [numberOf('top')] }, ['below']],
    ['knows what does not lie below', { types: ['page'], notParents: [numberOf('top')] }, ['top']],
    ['finds every term somewhere', { search: 'RIVER stone' }, all],
    ['finds a part of a word', { search: 'tone pple' }, ['apple']],
    ['finds without regard to accents', { search: 'eclair' }, ['Éclair']],
    ['finds with accents what has none', { search: 'Äpplé' }, ['apple']],
    ['finds phrases', { search: '"river stone"' }, ['River stone', 'berry', 'Éclair']],
    ['leaves out what is not to be there', { search: 'river -"river stone"' }, ['stone river', 'apple']],
    [
      'knows what is left when something is not to be there',
      { search: '-berry -apple' },
      all.filter((title) => !/berry|apple/.test(title)),
    ],
    ['does not look for words that are everywhere', { search: 'the apple of a' }, ['apple']],
    ['looks for words that are everywhere when there are no others', { search: 'the river' }, all],
    ['finds two letters', { search: 'ap' }, ['apple']],
    ['leaves out two letters', { search: 'river -ap' }, all.slice(0, 4)],
    ['looks where it is told', { search: 'river', searchColumns: ['title'] }, ['stone river', 'River stone']],
    ['compares whole columns', { search: 'river stone', searchExact: true }, ['River stone', 'Éclair']],
    [
      'compares whole columns where it is told',
      { search: 'RIVER STONE', searchExact: true, searchColumns: ['title'] },
      ['River stone'],
    ],
    ['finds no part where whole columns are compared', { search: 'river', searchExact: true }, []],
    ['searches in a category', { search: 'river', terms: [of(1)] }, ['River stone', 'apple']],
    ['searches among authors', { search: 'river', authors: [2] }, ['berry', 'Éclair']],
    ['takes signs as they are', { search: '100%%% _ " NOT' }, []],
    ['takes a search without a letter for none', { search: ' , ' }, all],
    ['finds nothing no record can have', { search: `\0\0\0 river` }, []],
  ];
  test('contains the records that a filter asks for', () =>
    checkRows(filters(), async ([, wanted, expected]) => assert.deepEqual(await list(wanted), expected)));

  test('puts what is more to the point first', async () => {
    const sorted = ['River stone', 'stone river', 'Éclair', 'berry', 'apple'];
    assert.deepEqual(await list({ search: 'river stone', orderBy: 'relevance' }), sorted);
    assert.deepEqual(
      (await ask({ search: 'river stone', orderBy: 'relevance', limit: 2, offset: 1 })).titles,
      sorted.slice(1, 3),
    );
    assert.deepEqual(
      (await ask({ search: 'river stone', orderBy: 'relevance', limit: 2, offset: 3 })).titles,
      sorted.slice(3),
    );
    assert.deepEqual(await list({ search: 'river', orderBy: 'relevance', authors: [1, 2] }), [
      'stone river',
      'Éclair',
      'berry',
      'apple',
    ]);
    assert.deepEqual(await list({ search: 'ap', orderBy: 'relevance' }), ['apple']);
  });

  test('has sticky ones on top of the first page, and each once', async () => {
    const first = await ask({ stickyFirst: true, limit: 1 });
    assert.deepEqual(first, { titles: ['River stone', 'stone river'], total: 5 });
    const whole = await ask({ stickyFirst: true });
    assert.deepEqual(whole, { titles: ['River stone', 'stone river', 'berry', 'Éclair', 'apple'], total: 5 });
    assert.deepEqual((await ask({ stickyFirst: true, authors: [1], limit: 1 })).titles, ['stone river']);
    assert.deepEqual((await ask({ stickyFirst: true, terms: [of(3)], limit: 1 })).titles, ['River stone']);
  });

  test('gives one record, and some', async () => {
    assert.equal((await reading.find(eclair))?.title, 'Éclair');
    assert.equal((await reading.get(stoneRiver, 'post')).title, 'stone river');
    for (const none of [9999, 2 ** 60, 1.5]) assert.equal(await reading.find(none), undefined);
    await assert.rejects(reading.get(stoneRiver, 'page'), { code: 'rest_post_invalid_id', status: 404 });
    assert.deepEqual([...(await reading.some([apple, 9999, apple, 2 ** 60])).keys()], [apple]);
  });
});
