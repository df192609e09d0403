// How the engines find comments: by an index, however many there are. Asked of the engines themselves, about the very statements.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { fillPosts } from '#test/many-posts.ts';
import { watchedStore } from '#test/plans.ts';
import { checkRows } from '#test/rows.ts';
import { createContentRights, createUnseen } from '../rights.ts';
import type { Writing } from '../tables.ts';
import { createKinds } from '../types.ts';
import { refuseFlood, refuseSame } from './add.ts';
import type { WantedComments } from './comment.ts';
import { indexNewComments } from './found-by.ts';
import { type Discussion, verdictOn } from './judging.ts';
import { answeredAmong, listComments } from './list.ts';
import { columns, findComment } from './rows.ts';
import { createThreads } from './threads.ts';

const many = 3_000;
/** Of twenty, so many are not shown. */
const statuses = ['hold', 'spam', 'trash'];
const rare = 'gooseberry';

const page = {
  limit: 10,
  offset: 0,
  order: 'desc',
  orderBy: 'date_gmt',
  statuses: ['approved'],
  type: 'comment',
} as const;

const visitor = { id: 0, can: () => false };
const kinds = createKinds();
const rights = createContentRights(kinds, async () => undefined);
const forVisitors = createUnseen(kinds, rights).discussions(visitor);

const lists: Readonly<Record<string, Partial<WantedComments>>> = {
  'the newest': {},
  'the oldest': { order: 'asc' },
  'by number': { orderBy: 'id' },
  'by type': { orderBy: 'type' },
  'those that wait': { statuses: ['hold'] },
  'those that are shown or wait': { statuses: ['approved', 'hold'] },
  'those in the trash': { statuses: ['trash'] },
  'a page far down': { offset: 2_000 },
  'of a record': { posts: [7] },
  'of several records': { posts: [7, 8] },
  'of a record, that answer nothing': { posts: [7], parents: [0] },
  'that answer one': { parents: [7] },
  'of somebody with an account': { authors: [3] },
  'of an email address': { email: 'person3@example.test' },
  'after a time': { after: '2026-01-03T00:00:00' },
  'some by number': { include: [7, 8] },
  'some by number, in their order': { include: [8, 7], orderBy: 'include' },
  'with a word that few have': { search: rare },
  'that a visitor may read': { notPosts: forVisitors },
  'that a visitor may read, with a word that few have': { notPosts: forVisitors, search: rare },
};

onBothStores('comments are found by an index', (engine) => {
  let plans: Awaited<ReturnType<typeof filled>>;
  before(async () => {
    plans = await filled(engine);
  });

  const isFound = async (work: () => Promise<unknown>, walk = nowhere): Promise<void> => {
    const all = await plans.of(work);
    assert.ok(all.length > 0, 'nothing was read');
    for (const plan of all)
      assert.deepEqual(plan.steps.filter(wholeTable(walk)), [], `${plan.statement}\n${plan.steps.join('\n')}`);
  };

  test('never by reading the whole table', () =>
    checkRows(Object.entries(lists), ([what, wanted]) =>
      isFound(() => listComments(plans.watched, { ...page, ...wanted }), walks[what]),
    ));

  test('a page of what was said about a record', () => isFound(() => createThreads(plans.watched.db).page(7, 1)));
  test('pages elsewhere that speak about a record', () =>
    isFound(() => createThreads(plans.watched.db).mentions(7, 50), byDate));
  test('one by number', () => isFound(() => findComment(plans.watched.db, 7)));
  test('whether somebody said the same', () => isFound(() => refuseSame(plans.watched.db as never, one), byOthers));
  test('whether somebody speaks quickly', () =>
    isFound(
      () => refuseFlood(plans.watched.db as never, { ...one, user_id: 3 }, new Date('2026-11-20T12:00:00Z')),
      byDate,
    ));
  test('whether somebody is known', () =>
    isFound(() => verdictOn(plans.watched.db as never, one, talk, 'trash'), byDate));
  test('which of them have answers', () => isFound(() => answeredAmong(plans.watched, [7, 8, 9])));
});

/** Of somebody who has not said anything yet. */
const one = {
  ...commentOf(7),
  parent: 0,
  content: 'Something else',
  author_name: 'Nobody',
  email_key: 'n@example.test',
  author_ip: '::1',
};

const talk = { comment_previously_approved: true, moderation_words: '', disallowed_words: '' } as Discussion;

const nowhere = /^$/;
const byDate = /comments_by_date/;
/** All are sorted, for one page. Who goes through them in order has it soon. */
const inTheEnd = /TEMP B-TREE FOR ORDER BY|(?:^|-> +)Sort {2}\(/;
/** All that answer nothing are most of all. */
const byOthers = /comments_by_date|comments_by_parent/;

/** Of these there are few: what walks through the others until a page is full never ends. */
const walks: Readonly<Record<string, RegExp>> = {
  'the newest': inTheEnd,
  'the oldest': inTheEnd,
  'by number': inTheEnd,
  'by type': inTheEnd,
  'of a record': byDate,
  'of a record, that answer nothing': byOthers,
  'that answer one': byDate,
  'of somebody with an account': byDate,
  'of an email address': byDate,
  'some by number': byDate,
  'some by number, in their order': byDate,
  'with a word that few have': byDate,
  'that a visitor may read': inTheEnd,
  'that a visitor may read, with a word that few have': byDate,
};

/** Steps that go through every comment, or through too many of them. */
const wholeTable =
  (walk: RegExp) =>
  (step: string): boolean =>
    (walk !== inTheEnd &&
      /Seq Scan|^SCAN (?:comments|asked|answer|posts|held(?! USING (?:COVERING )?INDEX posts_marked)|file)\b/.test(
        step,
      )) ||
    walk.test(step);

async function filled(engine: TestEngine) {
  const stores = await watchedStore(engine);
  await fillPosts(stores.store, 100);
  for (let from = 1; from <= many; from += atOnce)
    await stores.store.write(async (tx: Writing) => {
      const some = Array.from({ length: atOnce }, (_, at) => commentOf(from + at));
      const rows = await tx.insertInto('comments').values(some).returning(columns).execute();
      for (const row of rows) await indexNewComments(tx, [row]);
    });
  await stores.settle();
  return stores;
}

const atOnce = 100;

function commentOf(number: number) {
  const date = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString().slice(0, 19);
  const email = `person${number % 50}@example.test`;
  return {
    post_id: 1 + (number % 100),
    parent: number > 100 && number % 3 === 0 ? number - 100 : 0,
    user_id: number % 50 < 10 ? number % 50 : 0,
    author_name: `Person ${number % 50}`,
    author_email: email,
    email_key: email,
    author_url: '',
    author_ip: `192.0.2.${number % 200}`,
    author_user_agent: '',
    date,
    date_gmt: date,
    type: 'comment',
    status: statuses[number % 20] ?? 'approved',
    content: number === 77 ? `About ${rare}` : `Words ${number}`,
  };
}
