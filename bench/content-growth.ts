// Reading posts where there are very many of them, against a site with few.
import { join } from 'node:path';
import { postsSearch } from '#site/content/posts/found-by.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import { createPostReading } from '#site/content/posts/posts.ts';
import { siteTables } from '#site/tables.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import { category, common, fillPosts, rare } from '#test/many-posts.ts';
import { onPostgres, stated } from './databases.ts';
import { inFolder } from './folder.ts';

import { rounds, spread } from './measure.ts';
import { type Figure, microseconds, number, type Section } from './report.ts';

const many = 1_000_000;
const few = 1000;
/** How much longer it may take. */
const most = 3;

interface Read {
  readonly what: string;
  readonly wanted: (total: number) => Partial<Wanted>;
  /** In milliseconds, for what grows with what it finds. */
  readonly within?: number;
}

const ofCategory = {
  taxonomy: 'category',
  terms: [category],
  children: false,
  operator: 'OR',
  exclude: false,
} as const;

const reads: readonly Read[] = [
  { what: 'the default list', wanted: () => ({}) },
  { what: 'a page of a category', wanted: () => ({ terms: [ofCategory] }) },
  { what: 'the newest ones (`after`)', wanted: (total) => ({ after: dateOf(total - 50, total) }) },
  { what: '`slug`', wanted: () => ({ slugs: ['post-500', 'post-501'] }) },
  { what: '`include`', wanted: () => ({ include: [3, 500, 700] }) },
  { what: 'a search that finds 1,000', wanted: () => ({ search: rare }) },
  { what: 'a common word', wanted: () => ({ search: common }), within: 300 },

  { what: 'page 5,000 of 20', wanted: () => ({ limit: 20, offset: 99_980 }), within: 50 },
];

const dateOf = (at: number, total: number): string =>
  new Date(Date.UTC(2010) + Math.min(at, total) * 400_000).toISOString().slice(0, 19);

export const measureGrowth = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Very many posts',
    about: `Pages of ten of a site that has ${number(many)} published posts of sixty words, and of one that has ${number(few)}, with their totals, as
the store answers. The ratio is how much longer it takes. A common word is in a third of all posts.`,
    figures: [
      ...(await figuresOf('SQLite', { data: join(folder, 'many') }, { data: join(folder, 'few') })),
      ...(await onPostgres(2, ([one, other]) =>
        figuresOf(
          'PostgreSQL',
          { data: join(folder, 'other'), database: one! },
          { data: join(folder, 'other'), database: other! },
        ),
      )),
    ],
  }));

interface Place {
  readonly data: string;
  readonly database?: string | undefined;
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

async function manyPosts(place: Place, total: number): Promise<AnyStore> {
  const store = await openStore({ ...place, tables: siteTables, log: silent });
  const { database } = place;
  if (database === undefined) {
    await fillPosts(store, total);
    return store;
  }
  await stated(database, 'drop index posts_search_parts, posts_words_numbers'); // made at once they are made sooner
  await fillPosts(store, total);
  const parts = Object.keys(postsSearch.columns).map((column) => `${column} gin_trgm_ops`);
  await stated(database, `create index posts_search_parts on posts_search using gin (${parts.join(', ')})`);
  await stated(database, 'create index posts_words_numbers on posts_words using gin (words)');
  await stated(database, 'vacuum analyze');
  return store;
}

async function figuresOf(engine: string, large: Place, small: Place): Promise<Figure[]> {
  const shelves = [await manyPosts(large, many), await manyPosts(small, few)] as const;
  try {
    const figures: Figure[] = [];
    for (const read of reads) figures.push(await figureOf(engine, read, ...shelves));
    return figures;
  } finally {
    await Promise.all(shelves.map((shelf) => shelf.close()));
  }
}

async function figureOf(
  engine: string,
  { what, wanted, within }: Read,
  large: AnyStore,
  small: AnyStore,
): Promise<Figure> {
  const pairs: { ours: number; reference: number }[] = [];
  for (let round = 0; round <= rounds; round++)
    pairs.push({ ours: await timed(large, wanted(many)), reference: await timed(small, wanted(few)) });
  pairs.shift(); // both warm before they count
  const ours = spread(pairs.map((pair) => pair.ours)).median;
  const ratio = spread(pairs.map((pair) => pair.ours / pair.reference));
  return {
    what: `${engine}, ${what}`,
    ours: microseconds(ours),
    reference: microseconds(spread(pairs.map((pair) => pair.reference)).median),
    ratio: `${number(ratio.median, 2)} (${number(ratio.least, 2)}–${number(ratio.most, 2)})`,
    wanted: within === undefined ? `≤ ${most}` : `≤ ${within} ms`,
    holds: within === undefined ? ratio.median <= most : ours <= within * 1000,
  };
}

const least = 200;

/** Microseconds for one answer: the mean over a while, or of one that takes longer. */
async function timed(store: AnyStore, wanted: Partial<Wanted>): Promise<number> {
  const reading = createPostReading({ store, terms: { withBelow: async (ids) => ids } });
  const page = {
    types: ['post'],
    statuses: ['publish'],
    limit: 10,
    offset: 0,
    order: 'desc',
    orderBy: 'date',
  } as const;
  const started = performance.now();
  for (let done = 1; ; done++) {
    await reading.list({ ...page, ...wanted });
    const taken = performance.now() - started;
    if (taken >= least) return (taken * 1000) / done;
  }
}
