// Where the records of a list are read from: all of them in order until a page is full, or the few that a term or a search leaves.
import { expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { allPossible, totalAfter } from '../../platform/listing.ts';
import { totalTopics } from '../tables.ts';
import {
  type Condition,
  type Db,
  filtersOf,
  isAttachedTo,
  type Kind,
  type Listing,
  type Tables,
} from './list-filters.ts';
import { sumOf, termTotal } from './list-terms.ts';
import type { AddedOrder, HiddenParents, Wanted } from './post.ts';
import { found, type Search } from './search.ts';

export interface Asked {
  readonly kinds: readonly Kind[];
  readonly conditions: readonly Condition[];
  readonly term: number | undefined;
  readonly search: Search | undefined;
  /** Whether they are among the numbers of a search that finds few. */
  readonly isFew: boolean;
  /** How many records there are of these kinds, and how many of them are gone through until the page is full. */
  readonly all: number;
  readonly until: number;
  /** Whether the request itself says which ones they may be: by number, by slug, by what they lie below, or because they are sticky. */
  readonly isGiven: boolean;
  /** Whether they are listed by date. */
  readonly byDate: boolean;
}

type Matching = SelectQueryBuilder<Tables, 'posts', object>;

/** Whether it is less work to read all that was found and sort them than to go through everything until a page is full. */
const areFew = (many: number, { all, until }: Asked): boolean => many <= 1000 || many * many < all * until;

/** Records of these kinds, as far as the list holds them. A term's own list stands in for `posts` where it tells enough. */
export function matching(listing: Listing, asked: Asked, kinds: readonly Kind[]): Matching {
  const { db } = listing;
  const { term } = asked;
  if (isShort(asked)) return narrowed(fromSearch(listing, asked.search), asked, kinds, term);
  const rest = searched(listing, asked);
  if (term !== undefined && asked.byDate) return fromTerm(db, term, rest, kinds);
  return narrowed(db.selectFrom('posts'), rest, kinds, term);
}

/** Whether all that the search finds is read, and sorted. */
const isShort = (asked: Asked): asked is Asked & { readonly search: Search } =>
  asked.search !== undefined && areFew(asked.search.total, asked);

const searched = (listing: Listing, asked: Asked): Asked =>
  asked.search === undefined
    ? asked
    : { ...asked, conditions: [...asked.conditions, isFound(listing, asked.search, asked)] };

/** Whether a record has a value of an added order. */
export const hasValue = (order: AddedOrder): Condition =>
  sql<SqlBool>`exists (select 1 from ${valuesOf(order)} where record = posts.id)`;

/** Records that have one, with it. The index of the values is followed, but where a search finds few. */
export function withValues(listing: Listing, asked: Asked, order: AddedOrder) {
  const { db } = listing;
  const { term, kinds } = asked;
  const values = valuesOf(order);
  const both = isShort(asked)
    ? matching(listing, asked, kinds).crossJoin(values)
    : narrowed(db.selectFrom(values).crossJoin('posts') as unknown as Matching, searched(listing, asked), kinds, term);
  return both.where(sql<SqlBool>`posts.id = added.record`);
}

const valuesOf = ({ table, key, value }: AddedOrder) =>
  sql`(select ${sql.ref(key)} as record, ${sql.ref(value)} as value from ${sql.table(table)} where ${sql.ref(value)} is not null)`.as(
    'added',
  );

function narrowed(
  from: Matching,
  { conditions, isGiven }: Asked,
  kinds: readonly Kind[],
  term: number | undefined,
): Matching {
  let matching = ofKinds(from, 'posts', kinds, isGiven);
  if (term !== undefined) matching = matching.where(carries(term));
  for (const condition of conditions) matching = matching.where(condition);
  return matching;
}

type Listed = 'posts' | 'post_terms';

function ofKinds(from: Matching, table: Listed, kinds: readonly Kind[], isGiven = false): Matching {
  const columnOf = (name: string) => {
    const column = sql.ref<string>(`${table}.${name}`);
    return isGiven ? sql<string>`(${column} || '')` : column; // no index knows this, so that of what is given is taken
  };
  const [first, ...more] = kinds;
  if (first === undefined || more.length > 0) {
    const types = [...new Set(kinds.map(({ type }) => type))];
    const statuses = [...new Set(kinds.map(({ status }) => status))];
    return from.where(columnOf('type'), 'in', types).where(columnOf('status'), 'in', statuses);
  }
  return from.where(columnOf('type'), '=', first.type).where(columnOf('status'), '=', first.status);
}

// SQLite reads what stands to the left of a cross join first.
const fromSearch = (listing: Listing, { question }: Search): Matching =>
  listing.db
    .selectFrom(question.table)
    .crossJoin('posts')
    .where(found(listing, question))
    .where('posts.id', '=', sql.ref<number>(`${question.table}.rowid`)) as unknown as Matching;

function fromTerm(db: Db, term: number, asked: Asked, kinds: readonly Kind[]): Matching {
  const listed = db.selectFrom('post_terms').crossJoin('posts').whereRef('posts.id', '=', 'post_terms.post_id');
  let matching = ofKinds(listed.where('post_terms.term_id', '=', term) as unknown as Matching, 'post_terms', kinds);
  for (const condition of asked.conditions) matching = matching.where(condition);
  return matching;
}

/** Whether `post_terms` is what is read, and its date in the order of its index. */
export const isFromTerm = (asked: Asked): boolean => asked.term !== undefined && asked.byDate && !isShort(asked);

const carries = (term: number): Condition => {
  const on = expressionBuilder<Tables, 'posts'>();
  const carried = on.selectFrom('post_terms').select(sql<number>`1`.as('carried'));
  return on.exists(carried.whereRef('post_terms.post_id', '=', 'posts.id').where('post_terms.term_id', '=', term));
};

/** So many records are asked one by one whether the search finds them, before all it finds are read at once. */
const oneByOne = 500;

function isFound(listing: Listing, { question, total }: Search, { all, until }: Asked): Condition {
  const holds = found(listing, question);
  const table = sql.table(question.table);
  const isSoonFull = (until * all) / Math.max(total, 1) < oneByOne;
  if (listing.engine === 'sqlite' && !isSoonFull)
    return sql<SqlBool>`+posts.id in (select rowid from ${table} where ${holds})`;
  return sql<SqlBool>`exists (select 1 from ${table} where ${table}.rowid = posts.id and ${holds})`;
}

/** How many records a list holds: as they were counted when they came and went, where that tells. */
export const totalOfKinds = ({ db }: Listing, kinds: readonly Kind[]): Promise<number> =>
  sumOf(
    db,
    totalTopics.posts,
    kinds.map(({ type, status }) => `${type}/${status}`),
  );

const totalOfAuthors = ({ db }: Listing, kinds: readonly Kind[], authors: readonly number[]): Promise<number> =>
  sumOf(
    db,
    totalTopics.authors,
    allPossible(authors).flatMap((author) => kinds.map(({ type, status }) => `${author}/${type}/${status}`)),
  );

export async function totalFrom(listing: Listing, wanted: Wanted, asked: Asked, shown: number): Promise<number> {
  return totalAfter(shown, wanted) ?? (await kept(listing, wanted, asked)) ?? count(listing, asked);
}

/** Where one thing alone narrows the list. */
async function kept(listing: Listing, wanted: Wanted, asked: Asked): Promise<number | undefined> {
  const { kinds, conditions, term, search } = asked;
  if (search !== undefined) return term === undefined && conditions.length === 0 ? search.total : undefined;
  if (term !== undefined) return conditions.length === 0 ? termTotal(listing, term, kinds) : undefined;
  if (conditions.length === 0) return totalOfKinds(listing, kinds);
  const { notAttached, ...open } = wanted;
  if (notAttached !== undefined && filtersOf(open).length === 0 && conditions.length === 1) {
    const [total, { hidden }] = await Promise.all([
      totalOfKinds(listing, kinds),
      hiddenFiles(listing, kinds, notAttached).executeTakeFirstOrThrow(),
    ]);
    return total - hidden;
  }
  const { authors = [], notAuthors = [], ...rest } = wanted;
  if (conditions.length > 1 || filtersOf(rest).length > 0 || authors.length + notAuthors.length === 0) return undefined;
  if (notAuthors.length === 0) return totalOfAuthors(listing, kinds, authors);
  return (await totalOfKinds(listing, kinds)) - (await totalOfAuthors(listing, kinds, notAuthors));
}

/** How many attachments of these kinds the caller may not see. */
export const hiddenFiles = ({ db }: Listing, kinds: readonly Kind[], hidden: HiddenParents) =>
  ofKinds(db.selectFrom('posts'), 'posts', kinds, true)
    .where(isAttachedTo(hidden))
    .select((row) => row.fn.countAll<number>().as('hidden'));

export async function count(listing: Listing, asked: Asked): Promise<number> {
  // All are gone through.
  const { total } = await matching(listing, { ...asked, until: asked.all }, asked.kinds)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
