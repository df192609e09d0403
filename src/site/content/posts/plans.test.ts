// How the engines find records: by an index, however many there are. Asked of the engines themselves, about the very statements.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { category, common, fillPosts, rare } from '#test/many-posts.ts';
import { type Plan, watchedStore } from '#test/plans.ts';
import { checkRows } from '#test/rows.ts';
import { createContentRights, createUnseen } from '../rights.ts';
import { createKinds } from '../types.ts';
import type { Posts, Wanted } from './post.ts';
import { createPostReading } from './posts.ts';

const many = 4_000;

type Reading = Pick<Posts, 'find' | 'some' | 'list'>;

const page = { types: ['post'], statuses: ['publish'], limit: 10, offset: 0, order: 'desc', orderBy: 'date' } as const;
const list =
  (wanted: Partial<Wanted>) =>
  (reading: Reading): Promise<unknown> =>
    reading.list({ ...page, ...wanted });

const ofCategory = {
  taxonomy: 'category',
  terms: [category],
  children: false,
  operator: 'OR',
  exclude: false,
} as const;
const everything = { types: ['post', 'page'], statuses: ['publish', 'draft', 'private', 'future'] };

const kinds = createKinds();
const rights = createContentRights(kinds, async () => undefined);
const notAttached = createUnseen(kinds, rights).parents({ id: 0, can: () => false });
const files = { types: ['attachment'], statuses: ['inherit', 'publish'], mediaTypes: ['image'] };
const forVisitors = { types: ['attachment'], statuses: ['inherit'], notAttached };

const cases: Readonly<Record<string, (reading: Reading) => Promise<unknown>>> = {
  'one by number': (reading) => reading.find(7),
  'some by number': (reading) => reading.some([7, 8]),
  'the newest': list({}),
  'the oldest': list({ order: 'asc' }),
  'a page far down': list({ offset: 3000 }),
  'of several types and in several states': list(everything),
  'the last to change': list({ orderBy: 'modified' }),
  'by title': list({ orderBy: 'title', order: 'asc' }),
  'by slug': list({ orderBy: 'slug', order: 'asc' }),
  'of a category': list({ terms: [ofCategory] }),
  'of a category and an author': list({ terms: [ofCategory], authors: [1] }),
  'of an author': list({ authors: [1] }),
  'not of an author': list({ notAuthors: [2] }),
  'after a time': list({ after: '2010-01-15T00:00:00' }),
  'between two times': list({ after: '2010-01-15T00:00:00', before: '2010-01-16T00:00:00' }),
  'with a slug': list({ slugs: ['post-7'] }),
  'with one of some numbers': list({ include: [7, 8] }),
  'with some numbers, in their order': list({ include: [8, 7], orderBy: 'include' }),
  'below a record': list({ parents: [7] }),
  'files of a record, by their places': list({ ...files, parents: [7], orderBy: 'menu_order', limit: 500 }),
  'files of a record, by title': list({ ...files, parents: [7], orderBy: 'title', limit: 500 }),
  'files that a visitor may read': list(forVisitors),
  'files that a visitor may read, far down': list({ ...forVisitors, offset: 100 }),
  'that are sticky': list({ sticky: true }),
  'of a format': list({ formats: ['aside'] }),
  'with a part of a word that few have': list({ search: rare.slice(2, 9) }),
  'with two words': list({ search: `${common} ${rare}` }),
  'with a phrase': list({ search: `"${rare} ${common}"` }),
  'with sticky ones first': list({ stickyFirst: true }),
  'with a word that few have': list({ search: rare }),
  'with a word that many have': list({ search: common }),
  'with a word that many have, far down': list({ search: common, offset: 1000 }),
  'with a word, in the order of relevance': list({ search: common, orderBy: 'relevance' }),
  'with a word, of a category': list({ search: rare, terms: [ofCategory] }),
};

/** Of these there are few: what walks through the others until a page is full never ends. */
const few = new Set([
  'with a slug',
  'with one of some numbers',
  'with some numbers, in their order',
  'below a record',
  'files of a record, by their places',
  'files of a record, by title',
  'that are sticky',
  'of a format',
  'with a part of a word that few have',
  'with two words',
  'with a phrase',
  'of a category',
  'of an author',
  'with a word that few have',
]);

onBothStores('records are found by an index', (engine) => {
  let plans: Plans;
  before(async () => {
    plans = await openPlans(engine);
  });

  test('never by reading the whole table', () =>
    checkRows(Object.entries(cases), async ([what, work]) => {
      const all = await plans.of(work);
      assert.ok(all.length > 0, 'nothing was read');
      for (const plan of all)
        assert.deepEqual(
          plan.steps.filter(wholeTable(plan, few.has(what))),
          [],
          `${plan.statement}\n${plan.steps.join('\n')}`,
        );
    }));
});

/** Steps that go through every record; in order, and only until a page is full, that is no harm. */
function wholeTable({ statement, steps }: Plan, isFew: boolean): (step: string) => boolean {
  const sorts = steps.filter((step) => /USE TEMP B-TREE FOR ORDER BY|(?:^|-> +)Sort {2}\(/.test(step));
  // The beginnings of several lists are put together by a sort of their own.
  const isSorted = sorts.length > (steps.includes('SCAN together') ? 1 : 0);
  const isCut = / limit /.test(statement) && !isSorted && !isFew;
  return (step) =>
    /Seq Scan|^SCAN (?:posts|held)$/.test(step) ||
    (!isCut &&
      /^S(?:CAN|EARCH) posts USING (?:COVERING )?INDEX (?!posts_sticky)\w+(?: \(type=\? AND status=\?\))?$/.test(step));
}

interface Plans {
  /** Of every statement that this work reads with. */
  of(work: (reading: Reading) => Promise<unknown>): Promise<Plan[]>;
}

async function openPlans(engine: TestEngine): Promise<Plans> {
  const { store, watched, settle, of } = await watchedStore(engine);
  const reading = createPostReading({ store: watched, terms: { withBelow: async (ids) => [...ids] } });
  await fillPosts(store, many);
  await settle();
  return { of: (work) => of(() => work(reading)) };
}
