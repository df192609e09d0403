// Which addresses were locked out most. What is over was counted by the day; the rest is counted as it stands there.
import { Problem } from '#kernel/problem.ts';
import { day, hour } from '#lib/spans.ts';
import { readMoment } from '#lib/wall-time.ts';
import type { Clock } from '#site/clock.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { markOf } from './rows.ts';
import type { LockoutTables } from './tables.ts';

export const periods = ['24-hours', 'week', '30-days'] as const;
export type Period = (typeof periods)[number] | { readonly start: string; readonly end: string };

export interface Blocked {
  readonly ip: string;
  readonly count: number;
}

export interface Statistics {
  /** The highest count first. */
  topBlocked(period: Period, number: number): Promise<Blocked[]>;
}

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
}

interface Bounds {
  readonly start: Instant;
  readonly end: Instant;
}

export function createStatistics({ store, clock }: Needs): Statistics {
  const { db } = store;
  const ofDays = ({ start, end }: Bounds) =>
    db
      .selectFrom('secsuite_lockout_days')
      .select((all) => ['host as ip', all.fn.sum<number>('lockouts').as('count')])
      .where('day', '>', start)
      .where('day', '<', end)
      .groupBy('host');
  const since = ({ start, end }: Bounds, counted: number) =>
    db
      .selectFrom('secsuite_lockouts')
      .select((all) => ['host as ip', all.fn.countAll<number>().as('count')])
      .where('host', 'is not', null)
      .where('active', '=', 1)
      .whereRef('expire', '>=', 'start')
      .where('id', '>', counted)
      .where('start', '>', start)
      .where('start', '<', end)
      .groupBy('host');
  return {
    async topBlocked(period, number) {
      const bounds = boundsOf(period, clock());
      if (number <= 0) return [];
      const counted = await markOf(db, 'counted');
      const rows = [...(await ofDays(bounds).execute()), ...(await since(bounds, counted).execute())];
      const counts = new Map<string, number>();
      for (const { ip, count } of rows) counts.set(ip ?? '', (counts.get(ip ?? '') ?? 0) + Number(count));
      return [...counts]
        .map(([ip, count]) => ({ ip, count }))
        .sort((one, other) => other.count - one.count || (one.ip < other.ip ? -1 : 1))
        .slice(0, number);
    },
  };
}

function boundsOf(period: Period, now: Date): Bounds {
  const from = (start: number): Bounds => ({
    start: instant(new Date(start)),
    end: instant(new Date(now.getTime() + 1)),
  });
  if (period === '24-hours') return from(Math.floor((now.getTime() - day) / hour) * hour);
  if (period === 'week') return from(now.getTime() - 7 * day);
  if (period === '30-days') return from(now.getTime() - 30 * day);
  return { start: momentOf(period.start), end: momentOf(period.end) };
}

/** Without a zone it is UTC, as everywhere in the suite. */
function momentOf(text: string): Instant {
  const read = readMoment({ timezone: '', offset: 0 }, text, 'utc');
  if (read !== undefined) return `${read.utc}.000Z`;
  throw new Problem(400, 'secsuite.rest.invalid-period', 'There is no such moment in the calendar.');
}
