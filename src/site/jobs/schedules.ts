// Work that comes back every so often. Of all processes, the one that moves the next time on adds the job.
import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Schedule } from './jobs.ts';
import { isAway } from './reasons.ts';
import type { JobTables } from './tables.ts';
import { refuseUnfitSchedule, UnfitJobs } from './unfit.ts';

export interface Schedules {
  add(schedule: Schedule): void;
  /** Adds the jobs whose time has come. */
  tick(): Promise<void>;
}

interface Needs {
  readonly store: Store<JobTables>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createSchedules({ store, clock, log }: Needs): Schedules {
  const known = new Map<string, Schedule>();
  const tickOf = async (schedule: Schedule, next: string | undefined): Promise<void> => {
    const now = clock();
    const then = instant(new Date(now.getTime() + schedule.every));
    if (next === undefined) return begin(store, schedule.name, then);
    // A time further off than one interval was set by a clock that was wrong, or when the interval was longer.
    if (next > instant(now) && next <= then) return;
    // In this order, so that a schedule that fails is not begun again at once: a process that dies in between leaves one round out.
    if (await move(store, schedule.name, next, then)) await schedule.add();
  };
  return {
    add(schedule) {
      if (known.has(schedule.name)) throw new UnfitJobs(`There are two schedules called ${schedule.name}.`);
      refuseUnfitSchedule(schedule);
      known.set(schedule.name, schedule);
    },
    async tick() {
      if (known.size === 0) return;
      const rows = await store.db.selectFrom('schedules').selectAll().execute();
      const nexts = new Map(rows.map(({ name, next_at }) => [name, next_at]));
      for (const schedule of known.values()) {
        try {
          await tickOf(schedule, nexts.get(schedule.name));
        } catch (error) {
          if (isAway(error)) throw error;
          log.error({ err: error, schedule: schedule.name }, 'What is done every so often could not be begun.');
        }
      }
    },
  };
}

const begin = async (store: Store<JobTables>, name: string, next_at: string): Promise<void> => {
  await store.write((tx) =>
    tx
      .insertInto('schedules')
      .values({ name, next_at })
      .onConflict((on) => on.doNothing())
      .execute(),
  );
};

const move = (store: Store<JobTables>, name: string, from: string, next_at: string): Promise<boolean> =>
  store.write(async (tx) => {
    const moved = tx.updateTable('schedules').set({ next_at }).where('name', '=', name).where('next_at', '=', from);
    return (await moved.executeTakeFirst()).numUpdatedRows > 0n;
  });
