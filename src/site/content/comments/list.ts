// The list of comments: filtered, sorted, paged and counted, and quick with very many of them.
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { EngineName } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import { isIndexed, isSearchable, matching } from '#store/search.ts';
import { numbersHolding } from '#store/sought.ts';
import { allPossible, type Given, givenOrder, pageAsGiven, totalAfter } from '../../platform/listing.ts';
import { type TotalsTables, totalOf } from '../../platform/totals.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import type { Comment, CommentList, WantedComments } from './comment.ts';
import { commentsSearch } from './found-by.ts';
import { columns, emailKey } from './rows.ts';

type Tables = ContentTables & TotalsTables;

interface Listing {
  readonly db: Reads<Tables>;
  readonly engine: EngineName;
}

type Matching = SelectQueryBuilder<Tables, 'comments', object>;

export async function listComments(listing: Listing, asked: WantedComments): Promise<CommentList> {
  const { statuses, orderBy, include = [], search = '' } = asked;
  if (statuses.length === 0 || search.includes('\0') || asked.email?.includes('\0')) return { items: [], total: 0 };
  const found = await foundBy(listing, asked);
  if (found?.length === 0) return { items: [], total: 0 };
  const wanted = { ...asked, ...(found && { found }) };
  const given = givenOrder({ orderBy, include });
  if (given !== undefined) return asGiven(listing, wanted, given);
  const items = await page(listing, wanted);
  return { items, total: await totalFor(listing, wanted, items.length) };
}

interface Sought extends WantedComments {
  /** The numbers of all that the search finds, where those are few. */
  readonly found?: readonly number[];
}

const few = 1_000;

const termOf = ({ search = '' }: WantedComments): string => fold(search.trim());

const searchedIn = ({ searchAddresses }: WantedComments) =>
  searchAddresses ? (['content', 'name', 'url', 'email', 'ip'] as const) : (['content', 'name', 'url'] as const);

/** Nothing where there are many: those are soon met on the way through the list. */
async function foundBy({ db, engine }: Listing, wanted: WantedComments): Promise<readonly number[] | undefined> {
  const term = termOf(wanted);
  if (!isIndexed(term) || !isSearchable(term)) return undefined;
  const sought = { term, columns: searchedIn(wanted) };
  const numbers = await numbersHolding(db, engine, { table: commentsSearch.table, sought, most: few + 1 });
  return numbers.length > few ? undefined : numbers;
}

function fitting({ db, engine }: Listing, wanted: Sought, statuses: readonly string[]): Matching {
  const { type, email, after, before, found } = wanted;
  const isWalked = engine === 'sqlite' && isInOrder(wanted, statuses);
  let rows: Matching = db.selectFrom('comments').where(isWalked ? sql`+status` : 'status', 'in', statuses);
  if (type !== undefined) rows = rows.where('type', '=', type);
  for (const [column, among, without] of numbersIn(wanted)) {
    if (among?.length) rows = rows.where(indexed(column, wanted), 'in', allPossible(among));
    if (without?.length) rows = rows.where(column, 'not in', allPossible(without));
  }
  if (email !== undefined) rows = rows.where('email_key', '=', emailKey(email));
  if (after !== undefined) rows = rows.where('date_gmt', '>', after);
  if (before !== undefined) rows = rows.where('date_gmt', '<', before);
  if (wanted.notPosts !== undefined) rows = rows.where(sql<SqlBool>`comments.post_id not in (${wanted.notPosts})`);
  if (wanted.also !== undefined) rows = rows.where(wanted.also);
  if (found !== undefined) return rows.where('id', 'in', found);
  const term = termOf(wanted);
  return term === '' ? rows : rows.where(matching(engine, commentsSearch, searchedIn(wanted), term));
}

type Numbers = readonly number[] | undefined;

type NumberColumn = 'id' | 'user_id' | 'parent' | 'post_id';

const numbersIn = (wanted: WantedComments): (readonly [column: NumberColumn, among: Numbers, without: Numbers])[] => [
  ['id', wanted.include, wanted.include?.length ? undefined : wanted.exclude],
  ['user_id', wanted.authors, wanted.notAuthors],
  ['parent', wanted.parents, wanted.notParents],
  ['post_id', wanted.posts, undefined],
];

/** Most comments are shown: who walks through all of them by number soon has a page. SQLite would first sort those shown. */
const isInOrder = (wanted: Sought, statuses: readonly string[]): boolean => {
  const isShown = statuses.length === 1 && statuses[0] === 'approved';
  return isShown && keyOf(wanted) === 'id' && countedAs(wanted)?.topic === totalTopics.comments;
};

/** Of a record, those that answer nothing are found among its own, and not among all that answer nothing. */
const indexed = (column: NumberColumn, { posts }: WantedComments) =>
  column === 'parent' && posts?.length ? sql<number>`+comments.parent` : column;

/** Both clocks of the site go forward together, and one of them is what the index knows. */
const sorted = { date_gmt: 'date_gmt', date: 'date_gmt', post: 'post_id', parent: 'parent', type: 'type' } as const;

/** Those of one type are alike in that. */
const keyOf = ({ orderBy, type }: WantedComments): 'date_gmt' | 'post_id' | 'parent' | 'type' | 'id' => {
  if (orderBy === 'id' || (orderBy === 'type' && type !== undefined)) return 'id';
  return orderBy in sorted ? sorted[orderBy as keyof typeof sorted] : 'date_gmt';
};

/** Of each status its own beginning, which an index gives, and then those together. */
async function page(listing: Listing, wanted: Sought): Promise<Comment[]> {
  const { statuses, order, limit, offset } = wanted;
  const key = keyOf(wanted);
  const sortedBy = (rows: Matching): Matching =>
    key === 'id' ? rows.orderBy('id', order) : rows.orderBy(key, order).orderBy('id', order);
  const one = (status: string): Matching => sortedBy(fitting(listing, wanted, [status]));
  if (statuses.length === 1) return one(statuses[0]!).select(columns).limit(limit).offset(offset).execute();
  const beginnings = await Promise.all(
    statuses.map((status) =>
      one(status)
        .select(['id', `${key} as key`])
        .limit(limit + offset)
        .execute(),
    ),
  );
  const sign = order === 'asc' ? 1 : -1;
  const numbers = (beginnings.flat() as { id: number; key: string | number }[])
    .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id))
    .slice(offset, offset + limit)
    .map(({ id }) => id);
  return byNumber(listing, numbers);
}

/** In the order of the numbers. */
async function byNumber({ db }: Listing, numbers: readonly number[]): Promise<Comment[]> {
  if (numbers.length === 0) return [];
  const rows = await db.selectFrom('comments').select(columns).where('id', 'in', numbers).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return numbers.flatMap((id) => found.get(id) ?? []);
}

async function asGiven(listing: Listing, wanted: Sought, given: Given): Promise<CommentList> {
  const there = await fitting(listing, wanted, wanted.statuses).select('id').execute();
  const numbers = pageAsGiven(there, given, wanted).map(({ id }) => id);
  return { items: await byNumber(listing, numbers), total: there.length };
}

/** Counting a large table takes longer than all the rest. */
async function totalFor(listing: Listing, wanted: Sought, shown: number): Promise<number> {
  const { statuses } = wanted;
  const known = totalAfter(shown, wanted);
  if (known !== undefined) return known;
  const counted = countedAs(wanted);
  if (counted !== undefined) {
    const totals = statuses.map((status) => totalOf(listing.db, counted.topic, `${counted.prefix}${status}`));
    const sum = (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
    return sum - (await totalHidden(listing, wanted));
  }
  const all = fitting(listing, wanted, statuses).select((row) => row.fn.countAll<number>().as('total'));
  return Number((await all.executeTakeFirstOrThrow()).total);
}

/** Those about the records that the list leaves out: they are few, and found by those records. */
async function totalHidden({ db }: Listing, { notPosts, statuses, type }: Sought): Promise<number> {
  if (notPosts === undefined) return 0;
  const rows = db.selectFrom('comments').where('status', 'in', statuses);
  const hidden = rows.where(sql<SqlBool>`post_id in (${notPosts})`).where('type', '=', type!);
  return Number((await hidden.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total);
}

/** Where nothing narrows the list but its type, one record, and what the caller may read. */
function countedAs(wanted: WantedComments): { topic: string; prefix: string } | undefined {
  const { type, posts = [], search = '', email, after, before, also } = wanted;
  const lists = [wanted.authors, wanted.notAuthors, wanted.include, wanted.exclude, wanted.parents, wanted.notParents];
  const isNarrowed =
    lists.some((list) => list?.length) || [email, after, before, also].some((one) => one !== undefined);
  if (isNarrowed || search.trim() !== '' || type === undefined || posts.length > 1) return undefined;
  const [post] = posts;
  if (post === undefined) return { topic: totalTopics.comments, prefix: `${type}/` };
  return { topic: totalTopics.commentsOf, prefix: `${post}/${type}/` };
}

export async function answeredAmong({ db }: Pick<Listing, 'db'>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('comments as asked')
    .select('asked.id')
    .where('asked.id', 'in', ids)
    .where((row) =>
      row.exists(
        row
          .selectFrom('comments as answer')
          .select('answer.id')
          .whereRef('answer.parent', '=', 'asked.id')
          .where('answer.status', '=', 'approved'),
      ),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
