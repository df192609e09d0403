// Jobs put together: the queue, what works on it, and what is seen of both.
import { hour, minute } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { queueOf } from './adding.ts';
import { cancelJob } from './cancelling.ts';
import { createTally, lateness, waitingJobs } from './figures.ts';
import type { Kind } from './job.ts';
import type { Jobs, JobsOptions } from './jobs.ts';
import { type AnyKind, createLanes } from './lanes.ts';
import { findJob, listJobs, pageOfErrors } from './reading.ts';
import { createSchedules } from './schedules.ts';
import { sweeping } from './sweeping.ts';
import type { JobTables } from './tables.ts';
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
