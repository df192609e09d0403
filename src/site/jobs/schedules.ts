// Work that comes back every so often. Of all processes, the one that moves the next time on adds the job.

import { inTime } from '#lib/concurrency.ts';
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { refuseUnfitSchedule, UnfitJobs } from './job.ts';
import type { Schedule } from './jobs.ts';
import type { JobTables } from './tables.ts';

export interface Schedules {
  add(schedule: Schedule): void;
  /** Its job is not added any more. */
  remove(schedule: string): void;
  /** Adds the jobs whose time has come. */
  tick(): Promise<void>;
}

interface Needs {
  readonly store: Store<JobTables>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a schedule may take to add its job, in milliseconds. */
  readonly patience: number;
}

const triedAgainAfter = minute;

export function createSchedules({ store, clock, log, patience }: Needs): Schedules {
  const known = new Map<string, Schedule>();
  const added = async (schedule: Schedule): Promise<boolean> => {
    try {
      await inTime(Promise.try(schedule.add), patience, () => new Error(`It took longer than ${patience} ms.`));
      return true;
    } catch (error) {
      log.error({ err: error, schedule: schedule.name }, 'A scheduled task could not be started.');
      return false;
    }
  };
  const nextOf = (schedule: Schedule): string => instant(new Date(clock().getTime() + schedule.every));
  const tickOf = async (schedule: Schedule, next: string): Promise<void> => {
    const now = clock();
    const then = nextOf(schedule);
    // A time further off than one interval was set by a clock that was wrong, or when the interval was longer.
    if (next > instant(now) && next <= then) return;
    // First a little, so that what fails, or dies in between, is tried again soon and by one process.
    const soon = instant(new Date(now.getTime() + Math.min(schedule.every, triedAgainAfter)));
    if (!(await move(store, schedule.name, next, soon))) return;
    if (await added(schedule)) await move(store, schedule.name, soon, then);
  };
  return {
    add(schedule) {
      if (known.has(schedule.name)) throw new UnfitJobs(`The schedule ${schedule.name} is declared twice.`);
      refuseUnfitSchedule(schedule);
      known.set(schedule.name, schedule);
    },
    remove: (name) => void known.delete(name),
    async tick() {
      if (known.size === 0) return;
      const rows = await store.db.selectFrom('schedules').selectAll().execute();
      const nexts = new Map(rows.map(({ name, next_at }) => [name, next_at]));
      const begun = [...known.values()].filter(({ name }) => !nexts.has(name));
      if (begun.length > 0)
        await begin(
          store,
          begun.map((schedule) => ({ name: schedule.name, next_at: nextOf(schedule) })),
        );
      for (const schedule of known.values()) {
        const next = nexts.get(schedule.name);
        if (next !== undefined) await tickOf(schedule, next);
      }
    },
  };
}

const begin = async (store: Store<JobTables>, rows: readonly { name: string; next_at: string }[]): Promise<void> => {
  await store.write((tx) =>
    tx
      .insertInto('schedules')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute(),
  );
};

const move = (store: Store<JobTables>, name: string, from: string, next_at: string): Promise<boolean> =>
  store.write(async (tx) => {
    const moved = tx.updateTable('schedules').set({ next_at }).where('name', '=', name).where('next_at', '=', from);
    return (await moved.executeTakeFirst()).numUpdatedRows > 0n;
  });
