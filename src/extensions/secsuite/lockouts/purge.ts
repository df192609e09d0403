// Once a day: lockouts are counted by day and address, and what is long over is forgotten, a little at a time.
import { sql } from 'kysely';
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { addToDays, forgetDays } from '#site/platform/daily-counts.ts';
import { type Instant, instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Settings } from '../settings/types.ts';
import { markOf, nextChange, type Writing } from './rows.ts';
import { type LockoutTables, lockoutDays } from './tables.ts';

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
}

/** Answers how many lockouts were forgotten. */
export type Purge = (signal?: AbortSignal) => Promise<number>;

/** So long it can be said which addresses were locked out most. */
const countedFor = 366 * day;

export function createPurge({ store, clock, settings }: Needs): Purge {
  return async (signal) => {
    const { blacklist_period: remembered } = settings.of('global');
    const ago = (span: number): string => instant(new Date(Math.max(clock().getTime() - span, 0)));
    const all = (some: (most: number) => Promise<number>): Promise<number> => inSlices(some, { signal });
    await all((most) => summarised(store, most));
    await settings.keep('core', { last_seen_lockout: await markOf(store.db, 'counted') });
    const before = ago((remembered + 1) * day);
    const gone = await all((most) => forgotten(store, 'secsuite_lockouts', 'expire', before, most));
    await all((most) => forgotten(store, 'secsuite_lockout_events', 'at', ago(day), most));
    await all((most) => store.write((tx) => forgetDays(tx, [lockoutDays], ago(countedFor).slice(0, 10), most)));
    await store.write((tx) => tx.deleteFrom('secsuite_lockouts_spared').where('until', '<=', ago(0)).execute());
    return gone;
  };
}

const forgotten = (
  { write }: Pick<AnyStore, 'write'>,
  table: 'secsuite_lockouts' | 'secsuite_lockout_events',
  column: 'expire' | 'at',
  before: Instant,
  most: number,
): Promise<number> =>
  write(async (tx) => {
    const old = tx.selectFrom(table).select('id').where(column, '<', before).orderBy(column).limit(most);
    const { numDeletedRows } = await tx.deleteFrom(table).where('id', 'in', old).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });

/** Adds the next ones that were not counted yet. Answers how many lockouts it looked at. */
const summarised = ({ write }: Store<LockoutTables>, most: number): Promise<number> =>
  write(async (tx, during) => {
    await nextChange(tx, during);
    const before = await markOf(tx, 'counted');
    const fresh = tx.selectFrom('secsuite_lockouts').where('id', '>', before);
    const { last, many } = await tx
      .selectFrom(fresh.select('id').orderBy('id').limit(most).as('next'))
      .select((all) => [all.fn.max<number | null>('id').as('last'), all.fn.countAll<number>().as('many')])
      .executeTakeFirstOrThrow();
    if (last === null) return 0;
    const byDay = await fresh
      .select((all) => [
        dayOf.as('day'),
        all.ref('host').$notNull().as('subject'),
        all.fn.countAll<number>().as('count'),
      ])
      .where('id', '<=', last)
      .where('host', 'is not', null)
      .where('active', '=', 1)
      .whereRef('expire', '>=', 'start')
      .groupBy([dayOf, 'host'])
      .execute();
    await addToDays(
      tx,
      byDay.map((one) => ({ ...one, name: lockoutDays, count: Number(one.count) })),
    );
    await mark(tx, Number(last));
    return Number(many);
  });

const dayOf = sql<string>`substr(start, 1, 10)`;

const mark = (tx: Writing, value: number) =>
  tx
    .insertInto('secsuite_lockout_marks')
    .values({ name: 'counted', value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();
