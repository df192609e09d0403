// A page of entries and how many there are, quickly however many that are. Few are gathered and put in order; of many, each index is
// read from its end, so that nothing that is not shown is looked at.
// How many there are is told by totals of kinds, users and whole days; all else is counted.

import { type RawBuilder, sql } from 'kysely';
import { day } from '#lib/spans.ts';
import type { Reads } from '#store/handles.ts';
import type { Entry } from './entry.ts';
import { kindsIn } from './keeping.ts';
import {
  all,
  conditionsOf,
  type Filters,
  isHopeless,
  isPart,
  type Led,
  type Sought,
  soughtBy,
  withoutParts,
} from './sought.ts';
import { entryColumns, type LogTables, totalOf, totalsOf } from './tables.ts';

export const orders = ['created_at', 'id', 'module', 'code', 'type', 'request_started_at', 'user', 'site'] as const;
export type OrderBy = (typeof orders)[number];

export interface Wanted extends Filters {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: OrderBy;
}

export interface Listed {
  readonly items: readonly Entry[];
  readonly total: number;
}

interface Part extends Pick<Wanted, 'limit' | 'offset' | 'order' | 'orderBy'> {
  /** So many are put in order as they are. */
  readonly few: number;
}

const usuallyFew = 10_000;
/** So far from its end an index is read, and so many places of one at once. */
const near = 1_000;
const mostBranches = 100;

export async function listed(db: Reads<LogTables>, wanted: Wanted, few = usuallyFew): Promise<Listed> {
  const kinds = await kindsIn(db);
  const sought = soughtBy(wanted, kinds);
  if (isHopeless(sought)) return { items: [], total: 0 };
  const every = kinds.map(({ id }) => id);
  const { ids, total } = await found(db, sought, { ...wanted, few }, every);
  return { items: await entriesOf(db, ids), total };
}

interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

async function found(db: Reads<LogTables>, sought: Sought, part: Part, kinds: readonly number[]): Promise<Found> {
  if (isPart(sought) && !(await leavesFew(db, sought, part))) return lookedThrough(db, sought, part);
  const known = await told(db, sought);
  if (known === undefined || known <= part.few) {
    const gathered = await gather(db, sought, part);
    if (gathered !== undefined) return { ...gathered, total: known ?? gathered.total };
  }
  const total = known ?? (await counted(db, sought));
  const branches = branchesOf(sought, part, kinds);
  const ids = await (branches === undefined ? sorted(db, sought, part) : merged(db, branches, part));
  return { ids, total };
}

async function leavesFew(db: Reads<LogTables>, sought: Sought, { few }: Part): Promise<boolean> {
  const rest = withoutParts(sought);
  return conditionsOf(rest).length > 0 && areFew(db, rest, few);
}

/** All in turn, once: those that the page begins with, and how many there are beyond. */
async function lookedThrough(db: Reads<LogTables>, sought: Sought, part: Part): Promise<Found> {
  const { orderBy, order, few, limit, offset } = part;
  if (orderBy !== 'created_at' || offset + limit > few)
    return { ids: await sorted(db, sought, part, 'time'), total: await counted(db, sought, 'time') };
  const where = all(conditionsOf(sought, 'time'));
  const [furthest, nearer] = order === 'desc' ? [sql`min(created_at)`, sql`>`] : [sql`max(created_at)`, sql`<`];
  const { rows } = await sql<{ id: number; total: number | string; edge: string; nearer: number | string }>`
    with found as materialized (
      select id, created_at from secsuite_logs where ${where} order by ${inOrder(part)} limit ${few + 1})
    select id, edge, total, (select count(*) from found where created_at ${nearer} edge) as nearer
    from found cross join (select ${furthest} as edge, count(*) as total from found) as whole
    order by ${inOrder(part)} ${within(part)}`.execute(db as never);
  const [first] = rows;
  const ids = rows.map(({ id }) => id);
  if (first === undefined) return { ids, total: offset === 0 ? 0 : await counted(db, sought, 'time') };
  if (Number(first.total) <= few) return { ids, total: Number(first.total) };
  // Of the second at which it stopped, all are counted with those beyond.
  const beyond = {
    ...sought,
    ...(order === 'desc' ? { before: shifted(first.edge, 1) } : { after: shifted(first.edge, -1) }),
  };
  return { ids, total: Number(first.nearer) + (await counted(db, beyond, 'time')) };
}

const shifted = (at: string, by: number): string => new Date(Date.parse(at) + by).toISOString();

const columns: Readonly<Record<OrderBy, string>> = {
  created_at: 'created_at',
  id: 'id',
  module: 'module',
  code: 'code',
  type: 'type',
  request_started_at: 'started_at',
  user: 'user_id',
  site: 'site',
};

const inOrder = ({ order, orderBy }: Part): RawBuilder<unknown> => {
  const way = sql.raw(order);
  return orderBy === 'id' ? sql`id ${way}` : sql`${sql.ref(columns[orderBy])} ${way}, id ${way}`;
};

const within = ({ limit, offset }: Part): RawBuilder<unknown> => sql`limit ${limit} offset ${offset}`;

/** Nothing, where there are more than few. */
async function gather(db: Reads<LogTables>, sought: Sought, part: Part): Promise<Found | undefined> {
  const named = [...new Set(['id', columns[part.orderBy]])].map((name) => sql.ref(name));
  const where = all(conditionsOf(sought));
  const { rows } = await sql<{ id: number; total: number | string }>`
    with found as materialized (select ${sql.join(named)} from secsuite_logs where ${where} limit ${part.few + 1})
    select id, count(*) over () as total from found order by ${inOrder(part)} ${within(part)}`.execute(db as never);
  const total = rows[0] === undefined ? await beyond(db, sought, part) : Number(rows[0].total);
  return total > part.few ? undefined : { ids: rows.map(({ id }) => id), total };
}

/** How many there are, where the page shows none of them. */
const beyond = async (db: Reads<LogTables>, sought: Sought, { offset }: Part): Promise<number> =>
  offset === 0 ? 0 : counted(db, sought);

const sorted = async (db: Reads<LogTables>, sought: Sought, part: Part, led: Led = 'anything'): Promise<number[]> => {
  const where = all(conditionsOf(sought, led));
  const { rows } = await sql<{ id: number }>`
    select id from secsuite_logs where ${where} order by ${inOrder(part)} ${within(part)}`.execute(db as never);
  return rows.map(({ id }) => id);
};

/** Parts of one index, each of which is in the order of time by itself; nothing, where none are. */
function branchesOf(sought: Sought, part: Part, every: readonly number[]): Sought[] | undefined {
  const { kinds = every, users, ips, codes, patterns, search } = sought;
  if (part.orderBy !== 'created_at' || part.offset + part.limit > near) return undefined;
  if ((patterns !== undefined && patterns.length > 0) || search !== undefined) return undefined;
  if ((sought.kinds ?? users ?? ips ?? codes) === undefined) return undefined;
  const lists = leadingLists({ kinds, users, ips, codes });
  const branches = lists.reduce((product, list) => product * list.length, 1);
  if (branches > mostBranches) return undefined;
  const times = { ...(sought.before && { before: sought.before }), ...(sought.after && { after: sought.after }) };
  const beside = { ...(ips && { ips }), ...(users && { users }), ...(sought.kinds && { kinds }) };
  return lists
    .reduce<Sought[]>((parts, list) => parts.flatMap((one) => list.map((led) => ({ ...one, ...led }))), [{}])
    .map((led) => ({ ...times, ...beside, ...led }));
}

interface Leading extends Pick<Sought, 'users' | 'ips' | 'codes'> {
  readonly kinds: readonly number[];
}

/** What the best index begins with, one value at a time. */
function leadingLists({ kinds, users, ips, codes }: Leading): Sought[][] {
  const ofKinds = kinds.map((kind) => ({ kinds: [kind] }));
  if (codes !== undefined) return [codes.map((code) => ({ codes: [code] }))];
  if (ips !== undefined) return [ips.map((ip) => ({ ips: [ip] })), ofKinds];
  if (users !== undefined) return [users.map((user) => ({ users: [user] })), ofKinds];
  return [ofKinds];
}

/** As far as the page goes, of each of them; then all of these in order. */
async function merged(db: Reads<LogTables>, branches: readonly Sought[], part: Part): Promise<number[]> {
  const first = branches.map(
    (branch) => sql`select id, created_at from (select id, created_at from secsuite_logs
      where ${all(conditionsOf(branch))} order by ${inOrder(part)} limit ${part.offset + part.limit}) as led`,
  );
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(first, sql` union all `)}) as found order by ${inOrder(part)} ${within(part)}`.execute(
    db as never,
  );
  return rows.map(({ id }) => id);
}

export async function entriesOf(db: Reads<LogTables>, ids: readonly number[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('secsuite_logs')
    .innerJoin('secsuite_logs_data', 'secsuite_logs_data.id', 'secsuite_logs.id')
    .select(entryColumns)
    .where('secsuite_logs.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Nothing, where totals do not tell. */
export async function told(db: Reads<LogTables>, sought: Sought): Promise<number | undefined> {
  if (sought.ips ?? sought.codes ?? sought.patterns ?? sought.search) return undefined;
  const { first, last } = daysIn(sought);
  if (first > last) return undefined;
  const whole = await wholeDays(db, sought, first, last);
  const edges = await Promise.all(edgesOf(sought, first, last).map((edge) => counted(db, { ...sought, ...edge })));
  return edges.reduce((sum, one) => sum + one, whole);
}

const earliest = '0000-01-01';
const latest = '9999-12-31';
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The days of which everything is meant. */
const daysIn = ({ before, after }: Sought): { first: string; last: string } => ({
  first: after === undefined ? earliest : dayOf(Date.parse(after) + day),
  last: before === undefined ? latest : dayOf(Date.parse(before) - day),
});

/** What is left before and after them. */
const edgesOf = ({ before, after }: Sought, first: string, last: string): Pick<Sought, 'before' | 'after'>[] => [
  ...(after === undefined ? [] : [{ after, before: first }]),
  ...(before === undefined ? [] : [{ before, after: `${last}T23:59:59.999Z` }]),
];

async function wholeDays(db: Reads<LogTables>, { kinds, users }: Sought, first: string, last: string) {
  const { entries } = await db
    .selectFrom('daily_counts')
    .select((of) => of.fn.sum<number | string | null>('count').as('entries'))
    .where('name', 'in', kinds?.map(totalOf) ?? totalsOf(db))
    .where('day', '>=', first)
    .where('day', '<=', last)
    .$if(users !== undefined, (query) => query.where('subject', 'in', users!.map(String)))
    .executeTakeFirstOrThrow();
  return Number(entries ?? 0);
}

/** One after the other. */
export async function counted(db: Reads<LogTables>, sought: Sought, led: Led = 'anything'): Promise<number> {
  const where = all(conditionsOf(sought, led));
  const { rows } = await sql<{ entries: number | string }>`
    select count(*) as entries from secsuite_logs where ${where}`.execute(db as never);
  return Number(rows[0]?.entries ?? 0);
}

/** Whether there are at most so many; looks at no more than one above. */
export async function areFew(db: Reads<LogTables>, sought: Sought, few: number): Promise<boolean> {
  const found = sql`select 1 from secsuite_logs where ${all(conditionsOf(sought))} limit ${few + 1}`;
  const { rows } = await sql<{ entries: number | string }>`
    with found as materialized (${found}) select count(*) as entries from found`.execute(db as never);
  return Number(rows[0]?.entries ?? 0) <= few;
}
