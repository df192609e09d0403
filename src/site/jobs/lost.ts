// Jobs whose process is gone, and the sign by which the others know that one is not.
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Claimed } from './claiming.ts';
import type { JobTables } from './tables.ts';
import { queuedTopic } from './tables.ts';

type JobStore = Store<JobTables>;

/** Says of all these jobs that we are still there. Answers the numbers of those that are ours no more. */
export async function beat(store: JobStore, claims: readonly Claimed[], until: Date): Promise<number[]> {
  const kept = await store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ leased_until: instant(until) })
      .where('status', '=', 'running')
      .where(
        'token',
        'in',
        claims.map(({ token }) => token),
      )
      .returning(['number', 'token'])
      .execute(),
  );
  return claims
    .filter((claim) => !kept.some(({ number, token }) => number === claim.number && token === claim.token))
    .map(({ number }) => number);
}

/** A job that ended its process so often ends itself: it would go on for ever. */
const mostLost = 5;
const atOnce = 100;

/**
 * When a job that was lost is begun again: the first time at once, then later each time, and apart from those it was lost with, so
 * that a job that ends its process does not take the same others with it until all are given up.
 */
const againAt = (number: number, attempt: number, now: Date, lease: number): Date =>
  new Date(now.getTime() + (attempt - 1) * lease * (1 + (number % 16) / 16));

/** Puts back what ran in a process that died. */
export async function takeBack(
  store: JobStore,
  now: Date,
  lease: number,
  attemptsOf: (kind: string) => number,
): Promise<void> {
  const lost = await overdue(store.db, now).execute();
  if (lost.length === 0) return;
  await store.write(async (tx, { changed }) => {
    for (const { number, token, kind, attempt, confidential } of lost) {
      const isOver = attempt >= Math.max(attemptsOf(kind), mostLost);
      const { numUpdatedRows } = await tx
        .updateTable('jobs')
        .set({
          token: null,
          leased_until: null,
          ...(isOver
            ? { status: 'failed', finished_at: instant(now) }
            : { status: 'queued', run_at: instant(againAt(number, attempt, now, lease)) }),
          ...(isOver && confidential === 1 && { payload: null }),
        })
        .where('number', '=', number)
        .where('token', '=', token)
        .where('leased_until', '<', instant(now))
        .executeTakeFirst();
      if (isOver && numUpdatedRows > 0n)
        await tx
          .insertInto('job_errors')
          .values({ job: number, ...gone })
          .execute();
    }
    changed(queuedTopic);
  });
}

const gone = {
  item: '',
  code: 'process_lost',
  message: 'The process that did it went away each time it was tried.',
};

const overdue = (db: JobStore['db'], now: Date) =>
  db
    .selectFrom('jobs')
    .select(['number', 'token', 'kind', 'attempt', 'confidential'])
    .where('status', '=', 'running')
    .where('leased_until', '<', instant(now))
    .limit(atOnce);
