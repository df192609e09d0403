// Rate limits: how often something may be done within a period, counted by all processes together. A period begins with the first use.
import type { ExpressionBuilder } from 'kysely';
import { type Instant, instant } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from './clock.ts';

interface RateLimit {
  /** `embeds 7`: what is limited, and for whom. */
  subject: string;
  used: number;
  until: Instant;
}

export interface RateLimitTables {
  rate_limits: RateLimit;
}

export const rateLimitTables: TableOwner = {
  owner: 'rate-limits',
  quiet: ['rate_limits'],
  migrations: [
    {
      name: '0001-rate-limits',
      up: async ({ db, table, column }) => {
        await table('rate_limits')
          .addColumn('subject', column.text, (c) => c.primaryKey())
          .addColumn('used', column.integer, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('rate_limits_until').on('rate_limits').column('until').execute();
      },
    },
  ],
};

/** Uses are counted in the write under way, and so not at all if it fails. */
export interface RateLimits {
  /** Counts one use, unless there were too many in this period: then it answers false and counts nothing. */
  take(subject: string, most: number, period: number): Promise<boolean>;
  /** Counts one use of each. */
  count(subjects: readonly string[], period: number): Promise<void>;
  /** The uses that still count, and until when they do. */
  used(subjects: readonly string[]): Promise<ReadonlyMap<string, { readonly used: number; readonly until: Date }>>;
  /** Deletes at most so many that no longer count, and answers how many. */
  deleteOver(most: number): Promise<number>;
}

interface RateLimitDeps {
  readonly store: Store<RateLimitTables>;
  readonly clock: Clock;
}

export function createRateLimits({ store, clock }: RateLimitDeps): RateLimits {
  const end = (period: number): Instant => instant(new Date(clock().getTime() + period));
  const counted = (subjects: readonly string[], period: number, most = Number.MAX_SAFE_INTEGER) => {
    const [now, until] = [instant(clock()), end(period)];
    // In one order, so that two writes never wait for each other.
    const rows = subjects.toSorted().map((subject) => ({ subject, used: 1, until }));
    return store.join((tx) =>
      tx
        .insertInto('rate_limits')
        .values(rows)
        .onConflict((there) =>
          there
            .column('subject')
            .doUpdateSet((row) => oneMore(row, now, until))
            .where((row) => row.or([row('rate_limits.until', '<=', now), row('rate_limits.used', '<', most)])),
        )
        .returning('used')
        .execute(),
    );
  };
  return {
    take: async (subject, most, period) => (await counted([subject], period, most)).length > 0,
    count: async (subjects, period) => void (await counted(subjects, period)),
    async used(subjects) {
      const rows = store.db.selectFrom('rate_limits').selectAll().where('subject', 'in', subjects);
      const found = await rows.where('until', '>', instant(clock())).execute();
      return new Map(found.map(({ subject, used, until }) => [subject, { used, until: new Date(until) }]));
    },
    async deleteOver(most) {
      const now = instant(clock());
      const over = store.db.selectFrom('rate_limits').select('subject').where('until', '<=', now).limit(most);
      const subjects = (await over.execute()).map(({ subject }) => subject);
      if (subjects.length > 0)
        await store.write((tx) =>
          tx.deleteFrom('rate_limits').where('subject', 'in', subjects).where('until', '<=', now).execute(),
        );
      return subjects.length;
    },
  };
}

/** After the period a new one begins. */
function oneMore(row: ExpressionBuilder<RateLimitTables, 'rate_limits'>, now: Instant, until: Instant) {
  const isOver = row('rate_limits.until', '<=', now);
  const [used, end] = [row.ref('rate_limits.used'), row.ref('rate_limits.until')];
  return {
    used: row
      .case()
      .when(isOver)
      .then(1)
      .else(row(used, '+', 1))
      .end(),
    until: row.case().when(isOver).then(until).else(end).end(),
  };
}
