// Jobs put together: the queue, what works on it, and what is seen of both.

import { sql } from 'kysely';
import { day, hour, minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { queueOf } from './adding.ts';
import { firstDue, momentsOf } from './choosing.ts';
import type { Kind, Status } from './job.ts';
import type { JobFigures, Jobs, JobsOptions } from './jobs.ts';
import { type AnyKind, createLanes } from './lanes.ts';
import { findJob, listJobs, pageOfErrors } from './reading.ts';
import type { Ending } from './recording.ts';
import { cancelJob } from './running.ts';
import { createSchedules } from './schedules.ts';
import { isAlone, isFree, isRunning, type JobTables } from './tables.ts';
import { createWorker } from './worker.ts';

/** A job whose process has not been heard of for so long is taken over. */
const usualLease = minute;
/** How long a schedule may keep the others waiting. */
const usualPatience = 10_000;
/** How long work that was told to stop may take to do so. */
const usualGrace = 5_000;

export function createJobs({
  lease = usualLease,
  grace = usualGrace,
  patience = usualPatience,
  ...options
}: JobsOptions): Jobs {
  const store: Store<JobTables> = options.store;
  const base = { ...options, store, lease, grace, patience };
  const { clock } = base;
  const lanes = createLanes();
  const schedules = createSchedules(base);
  const ended = createTally();
  const worker = createWorker({ ...base, lanes, schedules, onEnded: ended.count });
  const jobs: Jobs = {
    ...worker,
    kind<P>(kind: Kind<P>) {
      lanes.add(kind as AnyKind);
      return queueOf(kind, base);
    },
    schedule: schedules.add,
    forget(names) {
      for (const name of names.schedules) schedules.remove(name);
      for (const name of names.kinds) lanes.remove(name);
    },
    about: (kind) => lanes.get(kind)?.about,
    leaveToSite: lanes.leaveToSite,
    does: (kind) => lanes.kinds.includes(kind),
    find: (id) => findJob(store.db, id),
    list: (asked) => listJobs(store.db, asked),
    errors: (id, { skipped, most }) => pageOfErrors(store.db, id, skipped, most),
    cancel: (id) => cancelJob(store, id, clock()),
    async figures() {
      const now = clock();
      const [waiting, late] = [await waitingJobs(store.db), await lateness(store, lanes.kinds, now)];
      return { waiting, late, ended: ended.all() };
    },
  };
  const sweep = jobs.kind(sweeping(store, clock));
  jobs.schedule({ name: 'jobs.sweep', every: hour, add: () => sweep.add(null, { key: 'jobs.sweep' }) });
  return jobs;
}

// Figures of the queue, for metrics and site health.

type Db = Store<JobTables>['db'];

/** Each of the three is counted in its index. */
async function waitingJobs(db: Db): Promise<JobFigures['waiting']> {
  const counts = (which: typeof isFree) =>
    db
      .selectFrom('jobs')
      .select(['kind', 'status'])
      .select((of) => of.fn.countAll<number>().as('jobs'))
      .where(which)
      .groupBy(['kind', 'status']);
  const all = counts(isFree).unionAll(counts(isAlone)).unionAll(counts(isRunning));
  const rows = await db
    .selectFrom(all.as('each'))
    .select(['kind', 'status'])
    .select((of) => of.cast<number>(of.fn.sum('jobs'), 'integer').as('jobs'))
    .groupBy(['kind', 'status'])
    .execute();
  return rows as JobFigures['waiting'];
}

/** Of kinds that are known here: what nobody can do is not late. */
async function lateness(store: Store<JobTables>, kinds: readonly string[], now: Date): Promise<number> {
  const due = momentsOf(await firstDue(store, kinds)).map((at) => now.getTime() - at.getTime());
  return Math.max(0, ...due);
}

/** Counts what ends in this process. */
function createTally() {
  const counted = new Map<string, { kind: string; status: Status; jobs: number }>();
  return {
    count(endings: readonly Ending[]): void {
      for (const { claim, status } of endings) {
        if (status === 'queued') continue;
        const key = `${status} ${claim.kind}`;
        const one = counted.get(key) ?? { kind: claim.kind, status, jobs: 0 };
        counted.set(key, { ...one, jobs: one.jobs + 1 });
      }
    },
    all: (): JobFigures['ended'] => [...counted.values()],
  };
}

// Jobs are kept for a week after they ended.

const kept = 7 * day;

const sweeping = (store: Store<JobTables>, clock: Clock): Kind<null> => ({
  name: 'jobs.sweep',
  about: 'Deletes jobs that ended more than 7 days ago',
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
