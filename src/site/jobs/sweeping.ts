// Jobs are kept for a week after they ended.
import { sql } from 'kysely';
import { day } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Kind } from './job.ts';
import type { JobTables } from './tables.ts';

const kept = 7 * day;
/** So many at a time, so that no write takes long. */
const atOnce = 500;

export const sweeping = (store: Store<JobTables>, clock: Clock): Kind<null> => ({
  name: 'jobs.sweep',
  about: 'Forgets jobs that ended more than 7 days ago',
  attempts: 3,
  async run(_, { signal }) {
    const before = instant(new Date(clock().getTime() - kept));
    let swept = 0;
    for (;;) {
      signal.throwIfAborted();
      const slice = await sweep(store, before);
      swept += slice;
      if (slice === 0) return { swept };
    }
  },
});

const sweep = (store: Store<JobTables>, before: string): Promise<number> =>
  store.write(async (tx) => {
    const rows = await tx
      .selectFrom('jobs')
      .select('number')
      .where(sql<boolean>`finished_at is not null`)
      .where('finished_at', '<', before)
      .limit(atOnce)
      .execute();
    const numbers = rows.map(({ number }) => number);
    if (numbers.length === 0) return 0;
    const errors = await tx
      .selectFrom('job_errors')
      .select('number')
      .where('job', 'in', numbers)
      .limit(atOnce)
      .execute();
    if (errors.length > 0) {
      await tx
        .deleteFrom('job_errors')
        .where(
          'number',
          'in',
          errors.map(({ number }) => number),
        )
        .execute();
      return errors.length; // a job may have failed of more than one write can take
    }
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('number', 'in', numbers).executeTakeFirst();
    return Number(numDeletedRows);
  });
