// How many there are of something, counted as they come and go: counting a large table anew for each list is slow.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { TableOwner } from '#store/migrate.ts';

export interface TotalsTables {
  totals: { topic: string; key: string; total: number };
}

export const totalTables: TableOwner = {
  owner: 'totals',
  migrations: [
    {
      name: '0001-totals',
      up: async ({ table, column }) => {
        await table('totals')
          .addColumn('topic', column.text, (c) => c.notNull())
          .addColumn('key', column.text, (c) => c.notNull())
          .addColumn('total', column.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint('totals_key', ['topic', 'key'])
          .execute();
      },
    },
  ],
};

/** So many more, or fewer, of each key; in the write that makes it so. Keys in one order, so that writers never wait in a ring. */
export const count = (tx: Counting, topic: string, more: More): Promise<void> => countAll(tx, [[topic, more]]);

type Counting = Pick<Transaction<TotalsTables>, 'insertInto'>;

/** By key. */
export type More = Readonly<Record<string, number>>;

/** One fewer of what it was, one more of what it is: nothing, of what is not there. */
export function moved<T>(before: T | undefined, after: T | undefined, keyOf: (one: T) => string): More {
  const keys = { gone: before && keyOf(before), come: after && keyOf(after) };
  if (keys.gone === keys.come) return {};
  return { ...(keys.gone !== undefined && { [keys.gone]: -1 }), ...(keys.come !== undefined && { [keys.come]: 1 }) };
}

/** All of them taken together. */
export function summed(all: readonly More[]): More {
  const sum: Record<string, number> = {};
  for (const more of all) for (const [key, by] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + by;
  return sum;
}

/** As many of each key as it comes. */
export const each = (keys: readonly string[]): More => summed(keys.map((key) => ({ [key]: 1 })));

/** The same of several topics at once, in the order in which other writes count them. */
export async function countAll(tx: Counting, all: readonly (readonly [topic: string, more: More])[]): Promise<void> {
  const rows = all.flatMap(([topic, more]) =>
    Object.entries(more)
      .filter(([, total]) => total !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, total]) => ({ topic, key, total })),
  );
  const total: RawBuilder<number> = sql<number>`totals.total + excluded.total`;
  for (let at = 0; at < rows.length; at += atOnce)
    await tx
      .insertInto('totals')
      .values(rows.slice(at, at + atOnce))
      .onConflict((on) => on.columns(['topic', 'key']).doUpdateSet({ total }))
      .execute();
}

/** So many in one statement. */
const atOnce = 1_000;

export async function totalOf(db: Reads<TotalsTables>, topic: string, key: string): Promise<number> {
  const row = await db
    .selectFrom('totals')
    .select('total')
    .where('topic', '=', topic)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.total ?? 0;
}

/** Of every key of a topic that has few. */
export async function totalsOf(db: Reads<TotalsTables>, topic: string): Promise<Record<string, number>> {
  const rows = await db.selectFrom('totals').select(['key', 'total']).where('topic', '=', topic).execute();
  return Object.fromEntries(rows.map(({ key, total }) => [key, total]));
}
