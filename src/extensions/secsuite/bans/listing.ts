// Bans as they are looked up: one, a page of them, or the one that covers an address.
// A list of a million addresses is banned within few seconds, and SQLite does not use the number in an index to find a place
// within a second. So what follows a place in the list, the newest first, is read as two stretches, each of which an index
// leads to: the rest of its second, and all earlier seconds.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { second } from '#lib/spans.ts';
import { readBound } from '#lib/wall-time.ts';
import { contains } from '#store/contains.ts';
import type { Reads } from '#store/handles.ts';
import { inSlices } from '#store/slices.ts';
import { around, type Block, blockOf, written } from '../addresses/block.ts';
import { suiteErrors } from '../errors.ts';
import type { Ban, BanTables } from './tables.ts';

export interface Wanted {
  readonly limit: number;
  readonly search?: string | undefined;
  readonly actorType?: string | undefined;
  readonly actorId?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** What the page before said. */
  readonly after?: string | undefined;
}

export interface BanPage {
  readonly bans: readonly Ban[];
  /** Where the next page begins, if there is one. */
  readonly next: string | undefined;
}

type Db = Reads<BanTables>;
type Query = SelectQueryBuilder<BanTables, 'secsuite_bans', Ban>;

const bansOf = (db: Db): Query => db.selectFrom('secsuite_bans').selectAll();

export const findBan = (db: Db, id: number): Promise<Ban | undefined> =>
  bansOf(db).where('id', '=', id).executeTakeFirst();

const covering = (db: Db, block: Block): Query =>
  bansOf(db).where('host', 'in', around(block).map(written)).orderBy('key', 'desc');

/** The narrowest that covers all of the block. */
export const coveringBan = (db: Db, block: Block): Promise<Ban | undefined> =>
  covering(db, block).limit(1).executeTakeFirst();

/** All that do, the narrowest first. */
export const coveringBans = (db: Db, block: Block): Promise<Ban[]> => covering(db, block).execute();

/** Newest first. */
export const newestBans = (db: Db, many: number): Promise<Ban[]> =>
  bansOf(db).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(many).execute();

export async function listBans(db: Db, wanted: Wanted): Promise<BanPage> {
  const search = wanted.search?.trim() ?? '';
  const block = blockOf(search);
  if (block !== undefined) {
    const ban = await coveringBan(db, block);
    return { bans: ban === undefined ? [] : [ban], next: undefined };
  }
  const rows = await found(db, wanted, search);
  const bans = rows.slice(0, wanted.limit);
  return { bans, next: rows.length > bans.length ? cursorAfter(bans.at(-1)!, bans.length) : undefined };
}

/** One more than the page has, if there is one. */
function found(
  db: Db,
  { actorType, actorId, limit, after, ...times }: Wanted,
  search: string,
): Promise<readonly Ban[]> {
  const place = after === undefined ? undefined : readCursor(after);
  const part = { place, limit: limit + 1, later: bound(times.createdAfter), earlier: bound(times.createdBefore) };
  const is = { actor_type: actorType, actor_id: actorId };
  const given = Object.entries(is).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const conditions = given.map(({ name, value }) => sql<SqlBool>`${sql.ref(`secsuite_bans.${name}`)} = ${value}`);
  // Of all bans, and of those by one actor, an index has the order.
  if (search === '' && given.length !== 1) return inOrder(db, conditions, part);
  return lookedThrough(db, [...conditions, ...saying(search)], part);
}

const bound = (text: string | undefined): string | undefined => (text === undefined ? undefined : boundOf(text));

const saying = (search: string): RawBuilder<SqlBool>[] =>
  search === '' ? [] : [sql<SqlBool>`(${says('comment', search)} or ${says('host', search)})`];

const boundOf = (text: string): string => `${readBound({ timezone: '', offset: 0 }, text).utc}.000Z`;

/** Capitals or not, where letters are those of ASCII: of others databases think differently. */
const says = (column: 'comment' | 'host', text: string) =>
  contains(
    sql`lower(${sql.ref(column)})`,
    text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );

/** One ban, by what lists are in order of. */
interface Place {
  readonly created_at: string;
  readonly id: number;
}

const cursorAfter = ({ created_at, id }: Place, rows: number): string =>
  Buffer.from(`${Date.parse(created_at) / second}-${id}-${rows}`).toString('base64url');

function readCursor(text: string): Place {
  const [, seconds, id] = /^(\d{1,11})-(\d{1,15})-\d{1,3}$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const canonical = /^[\w-]{1,60}$/.test(text);
  if (!canonical || seconds === undefined) throw suiteErrors.malformedCursor();
  return { created_at: new Date(Number(seconds) * second).toISOString(), id: Number(id) };
}

type Condition = RawBuilder<SqlBool>;

interface Part {
  /** The part begins after this place, or with the first ban. */
  readonly place: Place | undefined;
  readonly limit: number;
  /** Only bans that are later, or earlier, than these moments. */
  readonly later: string | undefined;
  readonly earlier: string | undefined;
}

/** The bans of a page, where an index has them in the order of the list. */
async function inOrder(db: Db, conditions: readonly Condition[], { limit, ...part }: Part): Promise<Ban[]> {
  const bans: Ban[] = [];
  for (const stretch of stretches(part))
    if (bans.length < limit) {
      const { rows } = await sql<Ban>`
        select * from secsuite_bans where ${all([...stretch, ...conditions])} ${newestFirst} limit ${limit - bans.length}
      `.execute(db as never);
      bans.push(...rows);
    }
  return bans;
}

/** Bans in the first slice, and at most in one. */
const [first, most] = [500, 20_000];

/** The bans of a page that no index leads to. To look through a million of them takes half a second, so it is done in slices. */
async function lookedThrough(db: Db, conditions: readonly Condition[], { limit, ...part }: Part): Promise<Ban[]> {
  const bans: Ban[] = [];
  let { place } = part;
  await inSlices(
    async (size) => {
      let left = size;
      for (const stretch of stretches({ ...part, place })) {
        if (left === 0 || bans.length === limit) break;
        const next = await sought(db, stretch, conditions, { left, limit: limit - bans.length });
        if (next === undefined) continue;
        bans.push(...next.bans);
        place = next.last;
        left -= next.many;
      }
      return bans.length === limit ? 0 : size - left;
    },
    { first, most },
  );
  return bans;
}

function* stretches({ place, later, earlier }: Omit<Part, 'limit'>): Iterable<Condition[]> {
  const times: Condition[] = [
    ...(later === undefined ? [] : [sql<SqlBool>`created_at > ${later}`]),
    ...(earlier === undefined ? [] : [sql<SqlBool>`created_at < ${earlier}`]),
  ];
  if (place === undefined) {
    yield times;
    return;
  }
  const { created_at, id } = place;
  yield [sql<SqlBool>`created_at = ${created_at}`, sql<SqlBool>`id < ${id}`, ...times];
  yield [sql<SqlBool>`created_at < ${created_at}`, ...times];
}

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

const newestFirst = sql`order by created_at desc, id desc`;

interface Sought {
  /** Bans that meet the conditions. */
  readonly bans: readonly Ban[];
  /** How many bans were looked at, and the last one of them. */
  readonly many: number;
  readonly last: Place;
}

type Row = { readonly many: number | string; readonly last_at: string; readonly last_id: number } & (
  | Ban
  | { id: null }
);

/** Looks at the next bans of a stretch, if there are any. It is one statement, because others write meanwhile. */
async function sought(
  db: Db,
  stretch: readonly Condition[],
  conditions: readonly Condition[],
  { left, limit }: { readonly left: number; readonly limit: number },
): Promise<Sought | undefined> {
  const { rows } = await sql<Row>`
    with next as materialized (
      select id, created_at from secsuite_bans where ${all(stretch)} ${newestFirst} limit ${left})
    select * from (
      select id as last_id, created_at as last_at, (select count(*) from next) as many
      from next order by created_at, id limit 1) as last
    left join (
      select secsuite_bans.* from next cross join secsuite_bans
      where secsuite_bans.id = next.id and ${all(conditions)}
      order by next.created_at desc, next.id desc limit ${limit}) as found on 1 = 1
    ${newestFirst}`.execute(db as never);
  const [row] = rows;
  if (row === undefined) return undefined;
  const bans = rows.flatMap(({ many: _, last_at: __, last_id: ___, ...ban }) => (ban.id === null ? [] : [ban as Ban]));
  return { bans, many: Number(row.many), last: { created_at: row.last_at, id: Number(row.last_id) } };
}
