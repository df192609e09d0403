// Jobs whose process is gone, and the sign by which the others know that one is not.
import type { Transaction } from 'kysely';
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Claimed } from './claiming.ts';
import { replaceReason } from './recording.ts';
import { isRunning, type JobTables, queuedTopic } from './tables.ts';

type JobStore = Store<JobTables>;

/** Says of all these jobs that we are still there. Answers the numbers of those that are ours no more. */
export async function beat(store: JobStore, claims: readonly Claimed[], until: Date): Promise<number[]> {
  const kept = await store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ leased_until: instant(until) })
      .where(
        'number',
        'in',
        claims.map(({ number }) => number),
      )
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
/** A lease that ends so much later than one of now would was given by a clock that was ahead; it would hardly ever end. */
const ahead = 10 * minute;

interface TakingBack {
  readonly now: Date;
  readonly lease: number;
  /** What is done here, however late it is. */
  readonly ours: readonly Claimed[];
  attemptsOf(kind: string): number;
}

/** Puts back what ran in a process that died. */
export async function takeBack(store: JobStore, taking: TakingBack): Promise<void> {
  const found = await overdue(store.db, taking).execute();
  const isOurs = (row: Lost): boolean =>
    taking.ours.some(({ number, token }) => number === row.number && token === row.token);
  const lost = found.filter((row) => !isOurs(row));
  if (lost.length === 0) return;
  await store.write(async (tx, { changed }) => {
    for (const one of lost) await takeOne(tx, one, taking);
    changed(queuedTopic);
  });
}

async function takeOne(tx: Transaction<JobTables>, row: Lost, taking: TakingBack): Promise<void> {
  const { number, token, leased_until, confidential } = row;
  const { status, run_at } = next(row, taking);
  const isOver = status !== 'queued';
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({
      status,
      token: null,
      leased_until: null,
      ...(run_at && { run_at: instant(run_at) }),
      ...(isOver && { finished_at: instant(taking.now) }),
      ...(isOver && confidential === 1 && { payload: null }),
    })
    .where('number', '=', number)
    .where('token', '=', token)
    .where('leased_until', '=', leased_until) // its process may have said meanwhile that it is there
    .executeTakeFirst();
  if (status === 'failed' && numUpdatedRows > 0n) await replaceReason(tx, number, gone);
}

/** What becomes of it. Begun again it is at once the first time, and later each time after that. */
function next({ number, kind, attempt, cancelled }: Lost, { now, lease, attemptsOf }: TakingBack) {
  if (cancelled === 1) return { status: 'cancelled' } as const;
  if (attempt >= Math.max(attemptsOf(kind), mostLost)) return { status: 'failed' } as const;
  return { status: 'queued', run_at: againAt(number, attempt, now, lease) } as const;
}

/**
 * Apart from those it was lost with, so that a job that ends its process does not take the same others with it until all are
 * given up.
 */
const againAt = (number: number, attempt: number, now: Date, lease: number): Date =>
  new Date(now.getTime() + (attempt - 1) * lease * (1 + (number % 16) / 16));

const gone = {
  code: 'process_lost',
  message: 'The process that ran the job ended each time.',
};

type Lost = Awaited<ReturnType<ReturnType<typeof overdue>['execute']>>[number];

const overdue = (db: JobStore['db'], { now, lease, ours }: Pick<TakingBack, 'now' | 'lease' | 'ours'>) =>
  db
    .selectFrom('jobs')
    .select(['number', 'token', 'leased_until', 'kind', 'attempt', 'confidential', 'cancelled'])
    .where(isRunning)
    .where((of) =>
      of.or([
        of('leased_until', '<', instant(now)),
        of('leased_until', '>', instant(new Date(now.getTime() + lease + ahead))),
      ]),
    )
    .limit(atOnce + ours.length);
