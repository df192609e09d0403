// Work that outlives a request: kept in the store, done by whichever process is free, at least once, and taken over from one that died.

import { defineError } from '#kernel/problem.ts';
import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/seal.ts';
import type { ItemError, Job, Kind, Queue, Status } from './job.ts';
import { type JobTables, queuedTopic } from './tables.ts';

export const jobErrors = {
  jobNotFound: defineError(404, 'job_not_found', (id: string) => `Job ${id} does not exist.`),
};

export interface Jobs {
  /** Makes a kind known. */
  kind<P>(kind: Kind<P>): Queue<P>;
  /** Nothing more is begun of these kinds, and these schedules add no more; what waits stays for when they are known again. */
  forget(names: { readonly kinds: readonly string[]; readonly schedules: readonly string[] }): void;
  /** Adds a job of this kind every so often: once for all processes, and once for all the times that were missed. */
  schedule(schedule: Schedule): void;
  /** What jobs of this kind do; nothing when nobody here does them. */
  about(kind: string): string | undefined;
  find(id: string): Promise<Job | undefined>;
  /** The newest first. */
  list(asked: { readonly status?: Status; readonly kind?: string; readonly most: number }): Promise<Job[]>;
  /** Why items failed, in the order in which they did; without an item, why the job did. */
  errors(id: string, page: { readonly skipped: number; readonly most: number }): Promise<ItemError[]>;
  /** A job that is queued ends at once, one that runs between two items. False when there is nothing left to cancel. */
  cancel(id: string): Promise<boolean>;
  /** Begins to work, until `stop`: what runs then is given a moment, and goes back into the queue. */
  start(): void;
  stop(): Promise<void>;
  /** Aborted as soon as this process stops, for requests that wait for somebody else. */
  readonly stopping: AbortSignal;
  /** Works until nothing is left that is due now and nothing runs here. */
  settled(): Promise<void>;
  /** This process does not serve the site: kinds that only one does that serves are left to it from now on. */
  leaveToSite(): void;
  /** Whether jobs of this kind are done by this process. */
  does(kind: string): boolean;
  /** Does this one now, if it is due, to its end or until it is put back, also if it was begun here already. False when it is not done here. */
  work(id: string): Promise<boolean>;
  figures(): Promise<JobFigures>;
}

export interface Schedule {
  /** `jobs.sweep` */
  readonly name: string;
  /** In milliseconds. */
  readonly every: number;
  /** Adds the job. */
  add(): Promise<unknown>;
}

/** How the queue is doing. */
export interface JobFigures {
  /** Among all processes. */
  readonly waiting: readonly { readonly kind: string; readonly status: 'queued' | 'running'; readonly jobs: number }[];
  /** How late the oldest job is that is due and not begun, in milliseconds. */
  readonly late: number;
  /** By this process, since it started. */
  readonly ended: readonly { readonly kind: string; readonly status: Status; readonly jobs: number }[];
}

export interface JobsOptions {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly log: Log;
  /** How long a process may be silent until its jobs are taken over, in milliseconds. */
  readonly lease?: number;
  /** How long what runs may take to stop, in milliseconds. */
  readonly grace?: number;
  /** How long a schedule may take to add its job, in milliseconds. */
  readonly patience?: number;
}

// Jobs that wait for something that was away, and need not any longer.

interface Hastened {
  readonly kind: string;
  /** Why they failed last, by the code of the reason. */
  readonly codes: readonly string[];
  readonly now: Date;
  /** Those made before wait on, so that none is tried for ever. */
  readonly madeAfter: Date;
}

/** They are due now, and their last go does not count: it was no fault of theirs. */
export async function hasten(store: Store<JobTables>, { kind, codes, now, madeAfter }: Hastened): Promise<void> {
  await store.write(async (tx, { changed }) => {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set((of) => ({ run_at: instant(now), attempt: of('attempt', '-', 1) }))
      .where('status', '=', 'queued')
      .where('kind', '=', kind)
      .where('run_at', '>', instant(now))
      .where('attempt', '>', 0)
      .where('created_at', '>', instant(madeAfter))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('job_errors')
            .select('job_errors.number')
            .whereRef('job_errors.job', '=', 'jobs.number')
            .where('item', '=', '')
            .where('code', 'in', codes),
        ),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n) changed(queuedTopic);
  });
}
