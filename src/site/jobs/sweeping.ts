// Jobs are kept for a week after they ended.
import { sql } from 'kysely';
import { day } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Kind } from './job.ts';
import type { JobTables } from './tables.ts';

const kept = 7 * day;

export const sweeping = (store: Store<JobTables>, clock: Clock): Kind<null> => ({
  name: 'jobs.sweep',
  about: 'Forgets jobs that ended more than 7 days ago',
  attempts: 3,
  async run(_, { signal }) {
    const before = instant(new Date(clock().getTime() - kept));
    await inSlices((most) => sweepErrors(store, before, most), { signal });
    return { swept: await inSlices((most) => sweepJobs(store, before, most), { signal }) };
  },
});

const endedBefore = (db: Reads<JobTables>, before: string) =>
  db.selectFrom('jobs').select('number').where(sql<boolean>`finished_at is not null`).where('finished_at', '<', before);

/** A job may have failed of more than one write can take. */
const sweepErrors = (store: Store<JobTables>, before: string, most: number): Promise<number> =>
  store.write(async (tx) => {
    const errors = tx.selectFrom('job_errors').select('number').where('job', 'in', endedBefore(tx, before)).limit(most);
    const { numDeletedRows } = await tx
      .deleteFrom('job_errors')
      .where('number', 'in', errors)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });

const sweepJobs = (store: Store<JobTables>, before: string, most: number): Promise<number> =>
  store.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('jobs')
      .where('number', 'in', endedBefore(tx, before).limit(most))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
