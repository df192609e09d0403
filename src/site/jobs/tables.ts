// What is kept of jobs, and of when the scheduled ones come next.
import { type Generated, sql } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { SchemaChange, TableOwner } from '#store/migrate.ts';
import type { Status } from './job.ts';

export interface JobsTable {
  /** Their order. */
  number: Generated<number>;
  id: string;
  kind: string;
  key: string | null;
  alone: string | null;
  /** Sealed if confidential; nothing once such a job has ended. */
  payload: string | null;
  confidential: Flag;
  status: Status;
  /** Somebody asked to end it. */
  cancelled: Generated<Flag>;
  attempt: Generated<number>;
  run_at: Instant;
  /** Whose it is while it runs: every write of whoever does it asks for this. */
  token: string | null;
  leased_until: Instant | null;
  total: Generated<number>;
  done: Generated<number>;
  failed: Generated<number>;
  /** Which `each` of it is being done, and the last item of it that is accounted for. */
  step: Generated<number>;
  position: string | null;
  result: JsonText | null;
  by: number;
  created_at: Instant;
  started_at: Instant | null;
  finished_at: Instant | null;
}

interface JobErrorsTable {
  number: Generated<number>;
  job: number;
  /** Empty: the job as a whole. */
  item: string;
  code: string;
  message: string;
}

interface SchedulesTable {
  name: string;
  next_at: Instant;
}

export interface JobTables {
  jobs: JobsTable;
  job_errors: JobErrorsTable;
  schedules: SchedulesTable;
}

// Written out, because an index over some of the rows is only used where the statement says which.
export const isUnfinished = sql<boolean>`status in ('queued', 'running')`;
export const isRunning = sql<boolean>`status = 'running'`;
/** Waiting, and beside any other. */
export const isFree = sql<boolean>`status = 'queued' and alone is null`;
/** Waiting, and beside none of its group. */
export const isAlone = sql<boolean>`status = 'queued' and alone is not null`;

async function indexJobs({ schema }: SchemaChange['db']): Promise<void> {
  // What is due is found by its kind, and apart from jobs that must be alone: of those any number may wait for one that runs.
  await schema.createIndex('jobs_due').on('jobs').columns(['kind', 'run_at', 'number']).where(isFree).execute();
  await schema
    .createIndex('jobs_due_alone')
    .on('jobs')
    .columns(['kind', 'run_at', 'number', 'alone'])
    .where(isAlone)
    .execute();
  await schema
    .createIndex('jobs_groups')
    .on('jobs')
    .columns(['kind', 'alone', 'run_at', 'number'])
    .where(isAlone)
    .execute();
  await schema.createIndex('jobs_running').on('jobs').column('alone').where(isRunning).execute();
  await schema
    .createIndex('jobs_key')
    .on('jobs')
    .unique()
    .columns(['kind', 'key'])
    .where(sql<boolean>`key is not null`)
    .where(isUnfinished)
    .execute();
  await schema
    .createIndex('jobs_finished')
    .on('jobs')
    .column('finished_at')
    .where(sql<boolean>`finished_at is not null`)
    .execute();
}

const jobs: TableOwner['migrations'][number] = {
  name: '0001-jobs',
  up: async ({ db, table, column }) => {
    await table('jobs')
      .addColumn('number', column.id)
      .addColumn('id', column.text, (c) => c.notNull().unique())
      .addColumn('kind', column.text, (c) => c.notNull())
      .addColumn('key', column.text)
      .addColumn('alone', column.text)
      .addColumn('payload', column.text)
      .addColumn('confidential', column.flag, (c) => c.notNull())
      .addColumn('status', column.text, (c) => c.notNull())
      .addColumn('cancelled', column.flag, (c) => c.notNull().defaultTo(0))
      .addColumn('attempt', column.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('run_at', column.instant, (c) => c.notNull())
      .addColumn('token', column.text)
      .addColumn('leased_until', column.instant)
      .addColumn('total', column.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('done', column.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('failed', column.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('step', column.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('position', column.text)
      .addColumn('result', column.json)
      .addColumn('by', column.integer, (c) => c.notNull())
      .addColumn('created_at', column.instant, (c) => c.notNull())
      .addColumn('started_at', column.instant)
      .addColumn('finished_at', column.instant)
      .execute();
    await indexJobs(db);
    await table('job_errors')
      .addColumn('number', column.id)
      .addColumn('job', column.integer, (c) => c.notNull().references('jobs.number'))
      .addColumn('item', column.text, (c) => c.notNull())
      .addColumn('code', column.text, (c) => c.notNull())
      .addColumn('message', column.text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('job_errors_by_job').on('job_errors').columns(['job', 'number']).execute();
    await table('schedules')
      .addColumn('name', column.text, (c) => c.primaryKey())
      .addColumn('next_at', column.instant, (c) => c.notNull())
      .execute();
  },
};

// A claim or a heartbeat is no change of content. Workers hear of new jobs by a topic of its own.
export const jobTables: TableOwner = {
  owner: 'jobs',
  migrations: [jobs],
  quiet: ['jobs', 'job_errors', 'schedules'],
  // Whoever was at work when the backup was made is not at work here; and what failed there is due at once, with all its attempts:
  // the mail server, say, may be another.
  restored: async (tx) => {
    const waiting = tx.selectFrom('jobs').select('number').where('status', 'in', ['queued', 'running']);
    await tx.deleteFrom('job_errors').where('item', '=', '').where('job', 'in', waiting).execute();
    const afresh = { status: 'queued', token: null, leased_until: null, attempt: 0 } as const;
    await tx
      .updateTable('jobs')
      .set((of) => ({ ...afresh, run_at: of.ref('created_at') }))
      .where('status', 'in', ['queued', 'running'])
      .where('attempt', '>', 0)
      .execute();
  },
};

/** Moved when there may be something to begin. */
export const queuedTopic = 'jobs.queued';
/** Moved when a job that runs is to end. */
export const cancelledTopic = 'jobs.cancelled';
