// How the queue is doing, for whoever watches over the site.
import type { Store } from '#store/store.ts';
import { firstDue, momentsOf } from './due.ts';
import type { Status } from './job.ts';
import type { JobFigures } from './jobs.ts';
import type { Ending } from './recording.ts';
import { isAlone, isFree, isRunning, type JobTables } from './tables.ts';

type Db = Store<JobTables>['db'];

/** Each of the three is counted in its index. */
export async function waitingJobs(db: Db): Promise<JobFigures['waiting']> {
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
export async function lateness(store: Store<JobTables>, kinds: readonly string[], now: Date): Promise<number> {
  const due = momentsOf(await firstDue(store, kinds)).map((at) => now.getTime() - at.getTime());
  return Math.max(0, ...due);
}

/** Counts what ends in this process. */
export function createTally() {
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
