// What one process does of the queue, put together: turns, what runs, schedules, and what wakes it.
import { setTimeout as after } from 'node:timers/promises';
import { hour, second } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { longestPause } from './doing.ts';
import { Stopped } from './job.ts';
import type { JobsOptions } from './jobs.ts';
import type { Lanes } from './lanes.ts';
import { createLoop, within } from './loop.ts';
import { takeBack } from './lost.ts';
import type { Ending } from './recording.ts';
import { createRunning, type Running, stopCancelled } from './running.ts';
import type { Schedules } from './schedules.ts';
import { cancelledTopic, isAlone, isFree, type JobTables, queuedTopic } from './tables.ts';
import { createTurns, type Turns } from './turns.ts';

interface Worker {
  start(): void;
  stop(): Promise<void>;
  readonly stopping: AbortSignal;
  settled(): Promise<void>;
  work(id: string): Promise<boolean>;
}

interface Needs extends Required<Omit<JobsOptions, 'store'>> {
  readonly store: Store<JobTables>;
  readonly lanes: Lanes;
  readonly schedules: Schedules;
  /** It was written down how these ended. */
  onEnded(endings: readonly Ending[]): void;
}

const lookEvery = 1_000;

export function createWorker(needs: Needs): Worker {
  const { store, clock, log, lanes, schedules, lease } = needs;
  let ending = Promise.withResolvers<void>();
  const onEnd = (): void => {
    ending.resolve();
    ending = Promise.withResolvers();
    loop.wake();
  };
  const running = createRunning({ ...needs, pause, onEnd });
  const turns = createTurns({ ...needs, running });

  const rewound = createRewound(store, clock);
  let looked = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    looked = performance.now();
    await schedules.tick();
    await rewound();
    if (running.isLate) {
      await turns.write();
      await running.beat();
    }
    const ours = [...running.claims, ...turns.unwritten];
    await takeBack(store, { now: clock(), lease, ours, attemptsOf: (kind) => lanes.get(kind)?.attempts ?? 1 });
    await stopCancelled(store, running);
  };
  const once = async (): Promise<number> => {
    if (performance.now() - looked >= lookEvery) await look();
    await turns.turn();
    const due = turns.next === undefined ? lookEvery : turns.next.getTime() - clock().getTime();
    return Math.max(1, Math.min(lookEvery, due));
  };
  const loop = createLoop({ once, log });
  const stopping = new AbortController();
  const unhear = hear(needs, running, loop.wake);

  return {
    start: loop.start,
    stopping: stopping.signal,
    async stop() {
      stopping.abort(new Stopped('stopping'));
      const closed = turns.close();
      await loop.stop();
      await closed;
      await putBack(running, turns, () => ending.promise, needs);
      unhear();
    },
    async settled() {
      await look();
      await drained(running, turns, () => ending.promise);
    },
    async work(id) {
      const runs = (): boolean => running.claims.some((claim) => claim.id === id);
      // It may end while the store is read.
      const ran = runs();
      const begun = await turns.turn(id);
      if (begun === 0 && !ran && !runs()) return false;
      while (runs()) await ending.promise;
      await turns.turn(id);
      return true;
    },
  };
}

/** Until nothing is due any more, nothing runs here, and all that ended is written. */
async function drained(running: Running, turns: Turns, change: () => Promise<void>): Promise<void> {
  for (;;) {
    const changed = change();
    if ((await turns.turn()) > 0) continue;
    if (running.claims.length > 0) await changed;
    else if (turns.isWritten) return;
  }
}

/** What runs here is told to stop, and goes back into the queue. */
async function putBack(running: Running, turns: Turns, change: () => Promise<void>, { grace, log }: Needs) {
  running.close();
  await emptied(running, change, grace);
  const left = running.claims.length;
  if (left > 0)
    log.warn(
      { jobs: left },
      'Background jobs did not stop within the time limit. They start again when their lease ends.',
    );
  await turns
    .turn()
    .catch((error) => log.warn({ reason: String(error) }, 'Unfinished jobs could not return to the queue.'));
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  after(milliseconds, undefined, { signal }).catch(() => {});

/** News of the queue, and the sign that we are still there. Returns how to end both. */
function hear({ store, lease }: Needs, running: Running, wake: () => void): () => void {
  const unwatch = store.changes.watch((topics) => {
    if (topics.has(queuedTopic)) wake();
    if (topics.has(cancelledTopic)) void stopCancelled(store, running).catch(() => {}); // the next look does it again
  });
  const beats = setInterval(() => void running.beat(), lease / 4);
  beats.unref();
  return () => {
    unwatch();
    clearInterval(beats);
  };
}

/** Once nothing runs here any more, or not much later. */
async function emptied(running: Running, change: () => Promise<void>, most: number): Promise<void> {
  const until = performance.now() + most;
  for (let left = most; running.claims.length > 0 && left > 0; left = until - performance.now())
    await within(left, [change()]);
}

// When a clock that was ahead is set right, jobs queued meanwhile would be due too late, so they are moved back.

/** Asks whether the clock went back since the last time; the first time nobody knows, nor whether that of another machine did. */
function createRewound(store: Store<JobTables>, clock: Clock): () => Promise<void> {
  let [last, looked] = [Number.POSITIVE_INFINITY, 0];
  return async () => {
    const now = clock();
    const at = now.getTime();
    if (at < last || at - looked >= hour) {
      await makeDue(store, now);
      looked = at;
    }
    last = at;
  };
}

/** What was added in what is the future now, and not for a moment of its own; and what waits longer for its next go than anything may. */
async function makeDue(store: Store<JobTables>, now: Date): Promise<void> {
  const ahead = (which: typeof isFree) =>
    store.db
      .selectFrom('jobs')
      .select('number')
      .where(which)
      .where('run_at', '>', instant(now))
      .where((of) => {
        const isMadeAhead = of('created_at', '>', instant(new Date(now.getTime() + second)));
        const isForNoMoment = of.or([of('run_at', '=', of.ref('created_at')), of('attempt', '>', 0)]);
        const isTooLate = of('run_at', '>', instant(new Date(now.getTime() + longestPause + second)));
        return of.or([of.and([isMadeAhead, isForNoMoment]), of.and([of('attempt', '>', 0), isTooLate])]);
      });
  for (const which of [isFree, isAlone]) {
    const rows = await ahead(which).execute();
    for (let at = 0; at < rows.length; at += atOnce) {
      const numbers = rows.slice(at, at + atOnce).map(({ number }) => number);
      await store.write((tx) =>
        tx
          .updateTable('jobs')
          .set({ run_at: instant(now) })
          .where('number', 'in', numbers)
          .where('status', '=', 'queued')
          .execute(),
      );
    }
  }
}

const atOnce = 500;
