// Whether what is to be done without anybody asking is done in time.
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { isRunning } from '../jobs/tables.ts';
import { ok, type Seen, warning, wrong } from './check.ts';
import type { Stored } from './installation.ts';

/** So late may be what is done every so often, or waits for its turn. */
const late = 2 * minute;
const standing = 10 * minute;

export async function scheduledWork({ store, clock }: Stored, jobs: Pick<Jobs, 'figures'>): Promise<Seen> {
  const now = clock();
  const [figures, next, stuck] = await Promise.all([jobs.figures(), nextOf(store), stuckOf(store, now)]);
  const behind = Math.max(figures.late, next === undefined ? 0 : now.getTime() - next.getTime());
  const minutes = Math.floor(behind / minute);
  if (behind > standing) return wrong(`no job ran for ${minutes} minutes`, 'Restart the site, and read its log.');
  if (stuck > 0)
    return warning(
      stuck === 1 ? '1 job is stuck' : `${stuck} jobs are stuck`,
      'Run "gatehouse jobs list". Stuck jobs start again automatically.',
    );
  if (behind > late) return warning(`due jobs wait for ${minutes} minutes`, 'Run "gatehouse jobs list".');
  return ok('all jobs run on time');
}

/** When something is to be done next that comes back. */
async function nextOf({ db }: Stored['store']): Promise<Date | undefined> {
  const row = await db.selectFrom('schedules').select('next_at').orderBy('next_at').limit(1).executeTakeFirst();
  return row && new Date(row.next_at);
}

/** Those whose process is silent, and that nobody has taken over. */
async function stuckOf({ db }: Stored['store'], now: Date): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((of) => of.fn.countAll<number>().as('jobs'))
    .where(isRunning)
    .where('leased_until', '<', instant(new Date(now.getTime() - late)))
    .executeTakeFirstOrThrow();
  return row.jobs;
}
