// Jobs put together: the queue, what works on it, and what is seen of both.
import { setTimeout as after } from 'node:timers/promises';
import type { Store } from '#store/store.ts';
import { queueOf } from './adding.ts';
import { cancelJob, stopCancelled } from './cancelling.ts';
import { createTally, lateness, waitingJobs } from './figures.ts';
import type { Kind } from './job.ts';
import type { Jobs, JobsOptions } from './jobs.ts';
import { type AnyKind, createLanes } from './lanes.ts';
import { createLoop, within } from './loop.ts';
import { takeBack } from './lost.ts';
import { findJob, listJobs, pageOfErrors } from './reading.ts';
import { createRunning, type Running } from './running.ts';
import { createSchedules } from './schedules.ts';
import { sweeping } from './sweeping.ts';
import { cancelledTopic, type JobTables, queuedTopic } from './tables.ts';
import { createTurns } from './worker.ts';

/** A job whose process has not been heard of for so long is taken over. */
const usualLease = 60_000;
/** How long work that was told to stop may take to do so. */
const usualGrace = 5_000;
const lookEvery = 1_000;
const hour = 3_600_000;

export function createJobs({ lease = usualLease, grace = usualGrace, ...base }: JobsOptions): Jobs {
  const { clock, log } = base;
  const store: Store<JobTables> = base.store;
  const lanes = createLanes();
  const schedules = createSchedules({ ...base, store });
  const ended = createTally();
  let ending = Promise.withResolvers<void>();
  const onEnd = (): void => {
    ending.resolve();
    ending = Promise.withResolvers();
    loop.wake();
  };
  const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    after(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  const running = createRunning({ ...base, store, lease, pause, onEnd });
  const turns = createTurns({ ...base, store, lanes, running, lease, onEnded: ended.count });

  let looked = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    looked = performance.now();
    await schedules.tick();
    await takeBack(store, clock(), lease, (kind) => lanes.get(kind)?.attempts ?? 1);
    await stopCancelled(store, running);
  };
  const once = async (): Promise<number> => {
    if (performance.now() - looked >= lookEvery) await look();
    await turns.turn();
    const due = turns.next === undefined ? lookEvery : turns.next.getTime() - clock().getTime();
    return Math.max(1, Math.min(lookEvery, due));
  };
  const loop = createLoop({ once, log });
  const quiet = (work: Promise<void>): void => void work.catch(() => {}); // the next look does it again
  const unwatch = store.changes.watch((topics) => {
    if (topics.has(queuedTopic)) loop.wake();
    if (topics.has(cancelledTopic)) quiet(stopCancelled(store, running));
  });
  const beats = setInterval(() => void running.beat(), lease / 4);
  beats.unref();

  const jobs: Jobs = {
    kind<P>(kind: Kind<P>) {
      lanes.add(kind as AnyKind);
      return queueOf(kind, { ...base, store });
    },
    schedule: schedules.add,
    about: (kind) => lanes.get(kind)?.about,
    find: (id) => findJob(store.db, id),
    list: (asked) => listJobs(store.db, asked),
    errors: (id, { skipped, most }) => pageOfErrors(store.db, id, skipped, most),
    cancel: (id) => cancelJob(store, id, clock()),
    start: loop.start,
    async stop() {
      unwatch();
      turns.close();
      await loop.stop();
      running.stop('stopping');
      await emptied(running, () => ending.promise, grace);
      clearInterval(beats);
      await turns.turn().catch((error) => log.warn({ reason: String(error) }, 'What ran could not be put back.'));
    },
    async settled() {
      await look();
      for (;;) {
        const change = ending.promise;
        if ((await turns.turn()) > 0) continue;
        if (running.claims.length > 0) await change;
        else if (turns.isWritten) return;
      }
    },
    async work(id) {
      if ((await turns.turn(id)) === 0) return false;
      while (running.claims.some((claim) => claim.id === id)) await ending.promise;
      await turns.turn(id);
      return true;
    },
    async figures() {
      const now = clock();
      const [waiting, late] = [await waitingJobs(store.db), await lateness(store.db, lanes.kinds, now)];
      return { waiting, late, ended: ended.all() };
    },
  };
  const sweep = jobs.kind(sweeping(store, clock));
  jobs.schedule({ name: 'jobs.sweep', every: hour, add: () => sweep.add(null, { key: 'jobs.sweep' }) });
  return jobs;
}

/** Once nothing runs here any more, or not much later. */
async function emptied(running: Running, change: () => Promise<void>, most: number): Promise<void> {
  const until = performance.now() + most;
  for (let left = most; running.claims.length > 0 && left > 0; left = until - performance.now())
    await within(left, [change()]);
}
