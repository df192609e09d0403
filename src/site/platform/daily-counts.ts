// How often something happened on each day, kept because counting the rows themselves is slow, or because they are deleted sooner.
import { type OperandValueExpressionOrList, sql, type Transaction } from 'kysely';
import type { TableOwner } from '#store/migrate.ts';
import { inFewSizes } from '#store/statements.ts';

export interface DailyCount {
  /** `secsuite-lockouts`: what is counted. */
  name: string;
  /** Of UTC: `2026-11-22`. */
  day: string;
  /** To what it happened: an IP address, a user. */
  subject: string;
  count: number;
}

export interface DailyCountTables {
  daily_counts: DailyCount;
}

export const dailyCountTables: TableOwner = {
  owner: 'daily-counts',
  quiet: ['daily_counts'],
  migrations: [
    {
      name: '0001-daily-counts',
      up: async ({ table, column }) => {
        await table('daily_counts')
          .addColumn('name', column.text, (c) => c.notNull())
          .addColumn('day', column.text, (c) => c.notNull())
          .addColumn('subject', column.text, (c) => c.notNull())
          .addColumn('count', column.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint('daily_counts_key', ['name', 'day', 'subject'])
          .execute();
      },
    },
  ],
};

/** Adds these, in one order, so that writers never wait for each other in a ring. */
export async function addToDays(
  tx: Pick<Transaction<DailyCountTables>, 'insertInto'>,
  counts: Iterable<DailyCount>,
): Promise<void> {
  const sums = new Map<string, DailyCount>();
  for (const one of counts) {
    const key = `${one.name} ${one.day} ${one.subject}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...one });
    else sum.count += one.count;
  }
  const sorted = [...sums.keys()].sort().map((key) => sums.get(key)!);
  const count = sql<number>`daily_counts.count + excluded.count`;
  for (const some of inFewSizes(sorted))
    await tx
      .insertInto('daily_counts')
      .values(some)
      .onConflict((on) => on.columns(['name', 'day', 'subject']).doUpdateSet({ count }))
      .execute();
}

/** Deletes at most so many counts of days before this one; answers how many. */
export async function forgetDays(
  tx: Transaction<DailyCountTables>,
  names: OperandValueExpressionOrList<DailyCountTables, 'daily_counts', 'name'>,
  before: string,
  most: number,
): Promise<number> {
  const old = tx
    .selectFrom('daily_counts')
    .select(['name', 'day', 'subject'])
    .where('name', 'in', names)
    .where('day', '<', before)
    .limit(most);
  const { numDeletedRows } = await tx
    .deleteFrom('daily_counts')
    .where(({ eb, refTuple }) => eb(refTuple('name', 'day', 'subject'), 'in', old.$asTuple('name', 'day', 'subject')))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
