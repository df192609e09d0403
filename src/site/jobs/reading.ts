// Jobs as they are shown.
import type { Selectable } from 'kysely';
import type { Store } from '#store/store.ts';
import type { ItemError, Job } from './job.ts';
import type { Jobs } from './jobs.ts';
import { isRunning, type JobsTable, type JobTables } from './tables.ts';

type Db = Store<JobTables>['db'];

const shown = 50;
const columns = [
  'number',
  'id',
  'kind',
  'status',
  'total',
  'done',
  'failed',
  'result',
  'by',
  'attempt',
  'run_at',
  'created_at',
  'started_at',
  'finished_at',
] as const;

type Row = Pick<Selectable<JobsTable>, (typeof columns)[number]>;

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const row = await db.selectFrom('jobs').select(columns).where('id', '=', id).executeTakeFirst();
  return row && jobOf(row, await errorsOf(db, row.number, 0, shown));
}

export async function listJobs(db: Db, { status, kind, most }: Parameters<Jobs['list']>[0]): Promise<Job[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(columns)
    .$if(status === 'running', (query) => query.where(isRunning))
    .$if(status !== undefined, (query) => query.where('status', '=', status as Job['status']))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))
    .orderBy('number', 'desc')
    .limit(most)
    .execute();
  const withErrors = rows.filter(mayHaveErrors);
  const errors = new Map<number, ItemError[]>();
  for (const { number } of withErrors) errors.set(number, await errorsOf(db, number, 0, shown));
  return rows.map((row) => jobOf(row, errors.get(row.number) ?? []));
}

const mayHaveErrors = ({ failed, status, attempt }: Row): boolean =>
  failed > 0 || status === 'failed' || (status === 'queued' && attempt > 0);

export async function pageOfErrors(db: Db, id: string, skipped: number, most: number): Promise<ItemError[]> {
  const row = await db.selectFrom('jobs').select('number').where('id', '=', id).executeTakeFirst();
  return row ? errorsOf(db, row.number, skipped, most) : [];
}

async function errorsOf(db: Db, number: number, skipped: number, most: number): Promise<ItemError[]> {
  const rows = await db
    .selectFrom('job_errors')
    .select(['item', 'code', 'message'])
    .where('job', '=', number)
    .orderBy('number')
    .limit(most)
    .offset(skipped)
    .execute();
  return rows.map((row) => ({ ...row }));
}

function jobOf({ number: _, result, ...row }: Row, errors: readonly ItemError[]): Job {
  return { ...row, progress: progressOf(row), errors, result: result === null ? null : JSON.parse(result) };
}

function progressOf({ status, total, done, failed }: Pick<Row, 'status' | 'total' | 'done' | 'failed'>): number {
  if (status === 'done') return 100;
  return total === 0 ? 0 : Math.min(100, Math.floor((100 * (done + failed)) / total));
}
