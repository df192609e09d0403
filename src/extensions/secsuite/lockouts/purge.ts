// Once a day: lockouts are counted by day and address, and what is long over is forgotten.
import { sql } from 'kysely';
import { day, hour } from '#lib/spans.ts';
import type { Clock } from '#site/clock.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Settings } from '../settings/types.ts';
import { markOf, nextChange, type Writing } from './rows.ts';
import type { LockoutTables } from './tables.ts';

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
}

/** Answers how many lockouts were forgotten. */
export type Purge = (signal?: AbortSignal) => Promise<number>;

/** So many events are forgotten by one write. */
const slice = 5_000;

export function createPurge({ store, clock, settings }: Needs): Purge {
  return async (signal) => {
    const { blacklist_period: remembered } = settings.of<{ blacklist_period: number }>('global');
    const now = clock().getTime();
    const ago = (span: number): string => instant(new Date(Math.max(now - span, 0)));
    const { gone, last } = await store.write(async (tx, during) => {
      await nextChange(tx, during);
      const last = await summarised(tx);
      const old = tx.deleteFrom('secsuite_lockouts').where('expire', '<', ago((remembered + 1) * day));
      await tx
        .deleteFrom('secsuite_lockouts_spared')
        .where('until', '<=', instant(new Date(now)))
        .execute();
      await tx.deleteFrom('secsuite_unlock_links').where('created_at', '<', ago(hour)).execute();
      return { gone: Number((await old.executeTakeFirst()).numDeletedRows), last };
    });
    await settings.keep('core', { last_seen_lockout: last });
    while (!signal?.aborted && (await forgotten(store, ago(day))) === slice);
    return gone;
  };
}

async function forgotten(store: Store<LockoutTables>, before: string): Promise<number> {
  return store.write(async (tx) => {
    const old = tx
      .selectFrom('secsuite_lockout_events')
      .select('id')
      .where('at', '<', before)
      .orderBy('at')
      .limit(slice);
    const gone = await tx.deleteFrom('secsuite_lockout_events').where('id', 'in', old).executeTakeFirst();
    return Number(gone.numDeletedRows);
  });
}

/** Adds those that were not counted yet, however many there are. Answers the number of the last one that is. */
async function summarised(tx: Writing): Promise<number> {
  const before = await markOf(tx, 'counted');
  const fresh = tx.selectFrom('secsuite_lockouts').where('id', '>', before);
  const { last } = await fresh.select((all) => all.fn.max('id').as('last')).executeTakeFirstOrThrow();
  if (last === null) return before;
  const byDay = fresh
    .select((all) => [dayOf.as('day'), all.ref('host').$notNull().as('host'), all.fn.countAll<number>().as('lockouts')])
    .where('host', 'is not', null)
    .where('active', '=', 1)
    .whereRef('expire', '>=', 'start')
    .groupBy([dayOf, 'host']);
  await tx
    .insertInto('secsuite_lockout_days')
    .columns(['day', 'host', 'lockouts'])
    .expression(byDay)
    .onConflict((on) =>
      on
        .columns(['day', 'host'])
        .doUpdateSet((row) => ({ lockouts: row('secsuite_lockout_days.lockouts', '+', row.ref('excluded.lockouts')) })),
    )
    .execute();
  await mark(tx, Number(last));
  return Number(last);
}

const dayOf = sql<Instant>`substr(start, 1, 10) || 'T00:00:00.000Z'`;

const mark = (tx: Writing, value: number) =>
  tx
    .insertInto('secsuite_lockout_marks')
    .values({ name: 'counted', value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();
