// The list of records: filtered, searched, sorted, paged and counted, and quick with very many of them.

import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import { Lru } from '#lib/lru.ts';
import { givenOrder, pageAsGiven } from '../../platform/listing.ts';
import { totalTopics } from '../tables.ts';
import {
  type Condition,
  filtersOf,
  isAmong,
  isHiddenFile,
  isOpen,
  isSticky,
  type Kind,
  type Listing,
} from './list-filters.ts';
import {
  type Asked,
  count,
  hasValue,
  hiddenFiles,
  isFromTerm,
  matching,
  totalFrom,
  totalOfKinds,
  withValues,
} from './list-source.ts';
import { byTerms } from './list-terms.ts';
import { type AddedOrder, type HiddenParents, orders, type PostList, type VersionList, type Wanted } from './post.ts';
import { somePosts, someVersions } from './rows.ts';
import { byRank, counted, mostRead, type Search, searchOf } from './search.ts';

/** How many sticky ones may come on top of a page. */
const mostSticky = 100;

export const listPosts = (listing: Listing, wanted: Wanted): Promise<PostList> => listed(listing, wanted, somePosts);

/** What remembered records are known by, in the place of the records. */
export const listVersions = (listing: Listing, wanted: Wanted): Promise<VersionList> =>
  listed(listing, wanted, someVersions);

async function listed<Row>(
  listing: Listing,
  wanted: Wanted,
  read: (db: Listing['db'], ids: readonly number[]) => Promise<ReadonlyMap<number, Row>>,
): Promise<{ items: Row[]; total: number }> {
  const asked = await askedFor(listing, wanted);
  if (asked === undefined) return { items: [], total: 0 };
  const { numbers, total: known } = await numbersIn(listing, asked, wanted);
  const onTop = wanted.stickyFirst === true && wanted.offset === 0 ? await stickyOf(listing, asked, wanted) : [];
  const shown = [...new Set([...onTop, ...numbers])];
  const [total, rows] = await Promise.all([
    known ?? totalFrom(listing, wanted, asked, numbers.length),
    read(listing.db, shown),
  ]);
  return { items: shown.map((id) => rows.get(id)).filter((row) => row !== undefined), total };
}

/** Nothing where nothing can be found. */
async function askedFor(listing: Listing, wanted: Wanted): Promise<Asked | undefined> {
  const kinds = kindsOf(wanted);
  if (kinds.length === 0) return undefined;
  const search = await searchOf(listing, wanted, kinds);
  if (search?.total === 0) return undefined;
  const { conditions, only } = await byTerms(listing, wanted);
  const numbers = search?.numbers;
  const all = [...filtersOf(wanted), ...conditions, ...(search?.besides ?? [])];
  const among = numbers === undefined ? [] : [isAmong(listing.engine, numbers), ...(wanted.searchOpen ? [isOpen] : [])];
  return {
    kinds,
    conditions: [...all, ...among],
    term: only,
    search: numbers === undefined ? search : undefined,
    isFew: numbers !== undefined,
    all: search === undefined || numbers !== undefined ? 0 : await totalOfKinds(listing, kinds),
    until: wanted.limit + wanted.offset,
    isGiven: numbers !== undefined || namesThem(wanted),
    byDate: numbers === undefined && pageOf(wanted).key === 'date',
  };
}

const namesThem = (wanted: Wanted): boolean => {
  const { sticky, include = [], slugs = [], parents = [], alsoFew } = wanted;
  // By date, an index has them in order.
  const areBelow = parents.length > 0 && !parents.includes(0) && pageOf(wanted).key !== 'date';
  return sticky === true || alsoFew === true || include.length + slugs.length > 0 || areBelow;
};

const kindsOf = ({ types, statuses }: Wanted): Kind[] =>
  [...new Set(types)].flatMap((type) => [...new Set(statuses)].map((status) => ({ type, status })));

interface Numbers {
  readonly numbers: readonly number[];
  /** Where all were read. */
  readonly total?: number;
}

async function numbersIn(listing: Listing, asked: Asked, wanted: Wanted): Promise<Numbers> {
  const { orderBy, limit, offset } = wanted;
  const given = givenOrder(wanted);
  if (given !== undefined) {
    const all = await allOf(listing, asked);
    return { numbers: pageAsGiven(all, given, wanted).map(({ id }) => id), total: all.length };
  }
  const page = pageOf(wanted);
  if (asked.isFew) {
    const all = await numbersOf(listing, asked, { ...page, limit: mostRead, offset: 0 });
    return { numbers: all.slice(offset, offset + limit), total: all.length };
  }
  if (orderBy === 'relevance' && asked.search !== undefined)
    return { numbers: await byRelevance(listing, asked, asked.search, page) };
  return { numbers: await numbersOf(listing, asked, page) };
}

async function stickyOf(listing: Listing, asked: Asked, wanted: Wanted): Promise<number[]> {
  const conditions = [...asked.conditions, isSticky];
  const page = { ...pageOf(wanted), limit: mostSticky, offset: 0 };
  return numbersOf(listing, { ...asked, conditions, isGiven: true, until: mostSticky }, page);
}

// The first pages of a list that nothing narrows but what visitors may not see: what everybody asks for. One statement, built once.

/** What lies further is skipped by numbers alone, without a look at the records. */
const furthest = 1000;

interface Row {
  readonly id: number;
  readonly version: number;
  readonly total: number;
}

/** Nothing for a list of another kind, and for a page with nothing on it. */
type PlainLists = (wanted: Wanted) => Promise<VersionList | undefined>;

const statementsKept = 200;

export function createPlainLists(listing: Listing): PlainLists {
  const built = new Lru<string, CompiledQuery<Row>>(statementsKept);
  return async (wanted) => {
    if (!isPlain(wanted)) return undefined;
    const { key, order, limit, offset } = pageOf(wanted);
    if (typeof key !== 'string') return undefined;
    const { types, statuses, notAttached } = wanted;
    const kind: Kind = { type: types[0]!, status: statuses[0]! };
    const name = JSON.stringify([kind.type, kind.status, key, order, notAttached !== undefined]);
    const query = built.get(name) ?? statement(listing, kind, { key, order, notAttached });
    built.set(name, query);
    const parameters = [...query.parameters.slice(0, -2), limit, offset];
    const { rows } = await listing.db.getExecutor().executeQuery<Row>({ ...query, parameters });
    const [first] = rows;
    return first && { items: rows, total: first.total };
  };
}

function isPlain(wanted: Wanted): boolean {
  const { notAttached, ...open } = wanted;
  const { types, statuses, search, terms = [], stickyFirst, orderBy, offset } = open;
  if (types.length !== 1 || statuses.length !== 1 || offset > furthest) return false;
  if (search !== undefined || terms.length > 0 || stickyFirst === true) return false;
  if (notAttached !== undefined && notAttached.author !== 0) return false;
  return !/^(?:include|relevance)/.test(orderBy) && filtersOf(open).length === 0;
}

interface PlainOrder {
  readonly notAttached: HiddenParents | undefined;
  readonly key: string;
  readonly order: 'asc' | 'desc';
}

/** Its last two values are the limit and the offset. */
function statement(listing: Listing, kind: Kind, { key, order, notAttached }: PlainOrder): CompiledQuery<Row> {
  const { db } = listing;
  const by = sql.ref<string>(`posts.${key}`);
  const all = db
    .selectFrom('posts')
    .select(['posts.id', 'posts.version', totalIn(listing, kind, notAttached).as('total')])
    .where('posts.type', '=', kind.type)
    .where('posts.status', '=', kind.status);
  const seen = notAttached === undefined ? all : all.where((on) => on.not(isHiddenFile(notAttached)));
  const sorted = key === 'id' ? seen.orderBy(by, order) : seen.orderBy(by, order).orderBy('posts.id', order);
  return sorted.limit(1).offset(1).compile();
}

function totalIn(listing: Listing, { type, status }: Kind, notAttached: HiddenParents | undefined): RawBuilder<number> {
  const total = listing.db
    .selectFrom('totals')
    .select('totals.total')
    .where('topic', '=', totalTopics.posts)
    .where('key', '=', `${type}/${status}`);
  const all = sql<number>`coalesce((${total}), 0)`;
  if (notAttached === undefined) return all;
  return sql<number>`${all} - (${hiddenFiles(listing, [{ type, status }], notAttached)})`;
}

// The order of a list, and a page of it: numbers alone, which an index gives without a look at the records.

interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** A column of `posts`, or an order of an extension. */
  readonly key: string | AddedOrder;
}

const keys: Partial<Record<Wanted['orderBy'], string>> = orders;

const pageOf = ({ limit, offset, order, orderBy, addedOrder }: Wanted): Page => ({
  limit,
  offset,
  order,
  key: addedOrder ?? keys[orderBy] ?? 'date',
});

/** Those alike in what they are sorted by come in the order of their numbers. */
async function numbersOf(listing: Listing, asked: Asked, page: Page): Promise<number[]> {
  const { order, limit, offset, key } = page;
  if (typeof key !== 'string') return byValue(listing, asked, page, key);
  const [first, ...more] = asked.kinds;
  if (more.length === 0) {
    const rows = await sorted(listing, asked, first!, key, order).limit(limit).offset(offset).execute();
    return rows.map(({ id }) => id);
  }
  const beginnings = asked.kinds.map((kind) =>
    listing.db
      .selectFrom(
        sorted(listing, asked, kind, key, order)
          .limit(limit + offset)
          .as('beginning'),
      )
      .select(['id', 'key']),
  );
  const [one, ...others] = beginnings;
  const all = others.reduce((union, other) => union.unionAll(other), one!);
  const rows = await listing.db
    .selectFrom(all.as('together'))
    .select('id')
    .orderBy('key', order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id }) => id);
}

function sorted(listing: Listing, asked: Asked, kind: Kind, key: string, order: Page['order']) {
  const [by, id] = isFromTerm(asked)
    ? [sql.ref<string>('post_terms.date'), sql.ref<number>('post_terms.post_id')]
    : [sql.ref<string>(`posts.${key}`), sql.ref<number>('posts.id')];
  const selected = matching(listing, asked, [kind]).select([id.as('id'), by.as('key')]);
  return key === 'id' ? selected.orderBy(id, order) : selected.orderBy(by, order).orderBy(id, order);
}

/** Those with a value first, then the others by number. */
async function byValue(listing: Listing, asked: Asked, page: Page, added: AddedOrder): Promise<number[]> {
  const { order, limit, offset } = page;
  const rows = await withValues(listing, asked, added)
    .select('posts.id')
    .orderBy(sql`added.value`, order)
    .orderBy(sql`added.record`, order)
    .limit(limit)
    .offset(offset)
    .execute();
  const first = rows.map(({ id }) => id);
  if (first.length === limit) return first;
  const those = (condition: Condition): Asked => ({ ...asked, conditions: [...asked.conditions, condition] });
  const has = hasValue(added);
  const before = first.length > 0 || offset === 0 ? offset + first.length : await count(listing, those(has));
  const rest = { order, key: 'id', limit: limit - first.length, offset: Math.max(0, offset - before) };
  return [...first, ...(await numbersOf(listing, those(sql<SqlBool>`not ${has}`), rest))];
}

/** Everything the list holds, for lists that the request itself bounds. */
async function allOf(listing: Listing, asked: Asked): Promise<{ id: number; slug: string }[]> {
  return matching(listing, asked, asked.kinds).select(['posts.id', 'posts.slug']).execute();
}

/** What is more to the point first, and among what is alike the newest. */
async function byRelevance(listing: Listing, asked: Asked, search: Search, page: Page): Promise<number[]> {
  const numbers: number[] = [];
  let { offset } = page;
  let left = search.total;
  const ranks = byRank(search);
  for (const question of ranks) {
    const limit = page.limit - numbers.length;
    if (limit === 0 || left <= 0) break;
    const total = question === ranks.at(-1) ? left : await counted(listing, question);
    left -= total;
    if (total === 0) continue;
    const ranked = { ...asked, search: { ...search, question, total } };
    const skipped = offset === 0 ? 0 : await count(listing, ranked);
    if (offset > 0 && skipped <= offset) {
      offset -= skipped;
      continue;
    }
    numbers.push(...(await numbersOf(listing, ranked, { limit, offset, order: 'desc', key: 'date' })));
    offset = 0;
  }
  return numbers;
}
