// How many entries there are, by totals where they tell: of kinds, users and whole days. All else is counted.
import { sql } from 'kysely';
import { day } from '#lib/spans.ts';
import type { Reads } from '#store/handles.ts';
import { all, conditionsOf, type Led, type Sought } from './sought.ts';
import type { LogTables } from './tables.ts';

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
    .selectFrom('secsuite_log_totals')
    .select((of) => of.fn.sum<number | string | null>('entries').as('entries'))
    .where('day', '>=', first)
    .where('day', '<=', last)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds!))
    .$if(users !== undefined, (query) => query.where('user_id', 'in', users!))
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
