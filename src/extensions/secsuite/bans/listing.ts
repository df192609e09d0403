// Bans as they are looked up: one, a page of them, or the one that covers an address.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { readBound } from '#lib/wall-time.ts';
import { contains } from '#store/contains.ts';
import type { Reads } from '#store/handles.ts';
import { around, type Block, blockOf, written } from '../addresses/block.ts';
import { cursorAfter, inOrder, lookedThrough, readCursor } from './stretches.ts';
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
