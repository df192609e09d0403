// How the queue is doing, for whoever watches over the site.
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Status } from './job.ts';
import type { JobFigures } from './jobs.ts';
import type { Ending } from './recording.ts';
import type { JobTables } from './tables.ts';

type Db = Store<JobTables>['db'];

export async function waitingJobs(db: Db): Promise<JobFigures['waiting']> {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'status'])
    .select((of) => of.fn.countAll<number>().as('jobs'))
    .where('status', 'in', ['queued', 'running'])
    .groupBy(['kind', 'status'])
    .execute();
  return rows as JobFigures['waiting'];
}

/** Of kinds that are known here: what nobody can do is not late. */
export async function lateness(db: Db, kinds: readonly string[], now: Date): Promise<number> {
  if (kinds.length === 0) return 0;
  const first = await db
    .selectFrom('jobs')
    .select((of) => of.fn.min('run_at').as('run_at'))
    .where('status', '=', 'queued')
    .where('kind', 'in', kinds)
    .where('run_at', '<=', instant(now))
    .executeTakeFirst();
  return first?.run_at ? now.getTime() - new Date(first.run_at).getTime() : 0;
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
