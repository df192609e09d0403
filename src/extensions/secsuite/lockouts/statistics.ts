// Which addresses were locked out most. What is over was counted by the day; the rest is counted as it stands there.
import { day, hour } from '#lib/spans.ts';
import { readMoment } from '#lib/wall-time.ts';
import type { Clock } from '#site/platform/clock.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { suiteErrors } from '../errors.ts';
import { markOf } from './rows.ts';
import { type LockoutTables, lockoutDays } from './tables.ts';

export const periods = ['24-hours', 'week', '30-days'] as const;
export type Period = (typeof periods)[number] | { readonly start: string; readonly end: string };

export interface Blocked {
  readonly ip: string;
  readonly count: number;
}

export interface Statistics {
  /** How many there were within a day. */
  ofDay(): Promise<number>;
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
  /** Whole days, as they were counted. */
  const ofDays = ({ start, end }: Bounds) =>
    db
      .selectFrom('daily_counts')
      .select(['subject as host', 'count as many'])
      .where('name', '=', lockoutDays)
      .where('day', '>=', firstDayOf(start))
      .where('day', '<=', instant(new Date(Date.parse(end) - 1)).slice(0, 10));
  /** One by one those that no day counts yet, and those of the day in which the time begins. */
  const single = ({ start, end }: Bounds, counted: number) =>
    db
      .selectFrom('secsuite_lockouts')
      .select(({ ref, lit }) => [ref('host').$notNull().as('host'), lit(1).as('many')])
      .where('host', 'is not', null)
      .where('active', '=', 1)
      .whereRef('expire', '>=', 'start')
      .where(({ eb, or }) => or([eb('id', '>', counted), eb('start', '<', firstDayOf(start))]))
      .where('start', '>', start)
      .where('start', '<', end);
  return {
    async ofDay() {
      const { many } = await db
        .selectFrom('secsuite_lockouts')
        .select(({ fn }) => fn.countAll<number>().as('many'))
        // By which they are found.
        .where('active', 'in', [0, 1])
        .where('start', '>', instant(new Date(clock().getTime() - day)))
        .whereRef('expire', '>=', 'start')
        .executeTakeFirstOrThrow();
      return Number(many);
    },
    async topBlocked(period, number) {
      const bounds = boundsOf(period, clock());
      if (number <= 0) return [];
      const counted = await markOf(db, 'counted');
      const rows = await db
        .selectFrom(ofDays(bounds).unionAll(single(bounds, counted)).as('all'))
        .select(({ fn }) => ['host as ip', fn.sum<number>('many').as('count')])
        .groupBy('host')
        .orderBy('count', 'desc')
        .orderBy('host')
        .limit(number)
        .execute();
      return rows.map(({ ip, count }) => ({ ip, count: Number(count) }));
    },
  };
}

/** Of the first midnight that is not before. */
const firstDayOf = (moment: Instant): string =>
  instant(new Date(Math.ceil(Date.parse(moment) / day) * day)).slice(0, 10);

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
  throw suiteErrors.invalidPeriod();
}
