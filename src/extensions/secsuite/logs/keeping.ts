// Puts entries where they are kept, a group in one write, with the totals that follow them; and takes them away again.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Store } from '#store/store.ts';
import type { NewEntry } from './entry.ts';
import { kindBy, numbered } from './kinds.ts';
import type { LogTables } from './tables.ts';

type LogStore = Pick<Store<LogTables>, 'db' | 'write'>;

/** Keeps a group of entries, all or none; answers their numbers. */
export type Keep = (entries: readonly NewEntry[]) => Promise<number[]>;

export function createKeep(store: LogStore): Keep {
  let known: ReadonlyMap<string, number> = new Map();
  return async (entries) => {
    const { ids, numbers } = await store.write(async (tx) => {
      const numbers = await numbered(tx, entries, known);
      const kindOf = kindBy(numbers);
      const rows = entries.map((entry) => ({ ...entry, kind: kindOf(entry) }));
      const ids = await inserted(tx, rows);
      await count(tx, rows, 1);
      return { ids, numbers };
    });
    known = numbers; // not before they are there for good
    return ids;
  };
}

type Row = NewEntry & { readonly kind: number };

/** Few sizes, so that few statements are remembered. */
const sizes = [64, 8, 1];

function* parts<T>(rows: readonly T[]): Iterable<T[]> {
  for (let at = 0; at < rows.length; ) {
    const size = sizes.find((one) => one <= rows.length - at)!;
    yield rows.slice(at, at + size);
    at += size;
  }
}

async function inserted(tx: Transaction<LogTables>, rows: readonly Row[]): Promise<number[]> {
  const ids: number[] = [];
  for (const part of parts(rows.map(split))) {
    // The database gives the number that a row lacks, to the first the lowest.
    const given = await tx
      .insertInto('secsuite_logs')
      .values(part.map(({ sought }) => sought) as never)
      .returning('id')
      .execute();
    const numbers = given.map(({ id }) => id).sort((one, other) => one - other);
    await tx
      .insertInto('secsuite_logs_data')
      .values(part.map(({ apart }, at) => ({ id: numbers[at]!, ...apart })))
      .execute();
    ids.push(...numbers);
  }
  return ids;
}

/** What is looked for, and what lies apart. */
const split = ({ parent_id, memory_current, memory_peak, data, ...sought }: Row) => ({
  sought,
  apart: { parent_id, memory_current, memory_peak, data },
});

export type Counted = Pick<Row, 'created_at' | 'kind' | 'user_id'>;

/** So many more of what these are, or fewer. In one order, so that writers never wait for each other in a ring. */
export async function count(tx: Transaction<LogTables>, rows: readonly Counted[], by: 1 | -1): Promise<void> {
  const sums = new Map<string, { day: string; kind: number; user_id: number; entries: number }>();
  for (const { created_at, kind, user_id } of rows) {
    const day = created_at.slice(0, 10);
    const key = `${day} ${kind} ${user_id}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { day, kind, user_id, entries: by });
    else sum.entries += by;
  }
  const sorted = [...sums.keys()].sort().map((key) => sums.get(key)!);
  const entries: RawBuilder<number> = sql<number>`secsuite_log_totals.entries + excluded.entries`;
  for (const part of parts(sorted))
    await tx
      .insertInto('secsuite_log_totals')
      .values(part)
      .onConflict((on) => on.columns(['day', 'kind', 'user_id']).doUpdateSet({ entries }))
      .execute();
}

/** Takes away at most so many that are older, the oldest first; answers how many. */
export const takeAway = (store: LogStore, before: string, most: number): Promise<number> =>
  store.write(async (tx) => {
    const old = tx
      .selectFrom('secsuite_logs')
      .select('id')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .orderBy('id')
      .limit(most);
    const gone = await tx
      .deleteFrom('secsuite_logs')
      .where('id', 'in', old)
      .returning(['id', 'created_at', 'kind', 'user_id'])
      .execute();
    if (gone.length === 0) return 0;
    const numbers = gone.map(({ id }) => id);
    await tx.deleteFrom('secsuite_logs_data').where('id', 'in', numbers).execute();
    await count(tx, gone, -1);
    return gone.length;
  });

/** Totals of days of which nothing is left are forgotten, at most so many; answers how many. */
export const forgetDays = (store: LogStore, before: string, most: number): Promise<number> =>
  store.write(async (tx) => {
    const empty = tx
      .selectFrom('secsuite_log_totals')
      .select(['day', 'kind', 'user_id'])
      .where('day', '<=', before.slice(0, 10))
      .where('entries', '<=', 0)
      .limit(most);
    const { numDeletedRows } = await tx
      .deleteFrom('secsuite_log_totals')
      .where(({ eb, refTuple }) =>
        eb(refTuple('day', 'kind', 'user_id'), 'in', empty.$asTuple('day', 'kind', 'user_id')),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
