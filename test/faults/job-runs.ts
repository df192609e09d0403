// Jobs that note in a table who is inside each of them, for tests that kill the processes that do them.
import { randomBytes } from 'node:crypto';
import { createJobs } from '#site/jobs/create.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createSeal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type AnyStore, openStore, type Store } from '#store/store.ts';
import type { Place } from '#test/databases.ts';

export interface RunTables {
  /** `inside`: how many are in the job now; `by`: the process that came last; `times`: how often it was done. */
  job_runs: { job: number; inside: number; by: number; most: number; times: number };
}

const runTables: TableOwner = {
  owner: 'job-runs',
  quiet: ['job_runs'],
  migrations: [
    {
      name: '0001-runs',
      up: async ({ table, column }) => {
        await table('job_runs')
          .addColumn('job', column.integer, (c) => c.primaryKey())
          .addColumn('inside', column.integer, (c) => c.notNull())
          .addColumn('by', column.integer, (c) => c.notNull())
          .addColumn('most', column.integer, (c) => c.notNull())
          .addColumn('times', column.integer, (c) => c.notNull())
          .execute();
      },
    },
  ],
};

export interface Counted {
  readonly store: Store<RunTables>;
  readonly jobs: Jobs;
  readonly queue: Queue<number>;
}

/** Long enough for a busy machine to say in time that it is still there. */
const lease = 3_000;

export async function countedJobs(place: Place, log: Log): Promise<Counted> {
  const opened: AnyStore = await openStore({ ...place, tables: [jobTables, runTables], log });
  const store: Store<RunTables> = opened;
  const jobs = createJobs({ store: opened, clock: () => new Date(), seal: createSeal(randomBytes(32)), log, lease });
  const queue = jobs.kind<number>({
    name: 'test.counted',
    about: 'Counts who is inside',
    lane: { name: 'counted', atOnce: 16 },
    attempts: 1_000, // it is killed more often than anything that is not to blame for it
    async run(job) {
      await enter(store, job);
      await new Promise(setImmediate);
      await leave(store, job);
    },
  });
  return { store, jobs, queue };
}

const enter = (store: Store<RunTables>, job: number): Promise<void> =>
  store.write(async (tx) => {
    const row = await tx.selectFrom('job_runs').selectAll().where('job', '=', job).executeTakeFirstOrThrow();
    // Who was killed inside has left it, though nobody could write that down.
    const inside = (isAlive(row.by) ? row.inside : 0) + 1;
    const change = { inside, by: process.pid, most: Math.max(row.most, inside) };
    await tx.updateTable('job_runs').set(change).where('job', '=', job).execute();
  });

const leave = (store: Store<RunTables>, job: number): Promise<void> =>
  store.write(async (tx) => {
    await tx
      .updateTable('job_runs')
      .set((of) => ({ inside: of('inside', '-', 1), times: of('times', '+', 1) }))
      .where('job', '=', job)
      .execute();
  });

function isAlive(process_: number): boolean {
  try {
    return process_ !== 0 && process.kill(process_, 0);
  } catch {
    return false;
  }
}
