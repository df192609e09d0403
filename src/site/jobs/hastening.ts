// Jobs that wait for something that was away, and need not any longer.
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { type JobTables, queuedTopic } from './tables.ts';

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
