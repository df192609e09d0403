// What whoever does a job writes of it. Every write asks whether the job is still theirs.
import type { Transaction } from 'kysely';
import { instant } from '#store/columns.ts';
import type { Claimed } from './claiming.ts';
import type { ItemError, Status } from './job.ts';
import type { JobTables } from './tables.ts';

type Tx = Transaction<JobTables>;
type Claim = Pick<Claimed, 'number' | 'token'>;

/** How far a job has come. */
export interface Tally {
  total: number;
  done: number;
  failed: number;
  step: number;
  position: string | null;
  /** Not written yet. */
  errors: ItemError[];
}

/** As it was when the job was claimed. */
export const tallyOf = ({ total, done, failed, step, position }: Claimed): Tally => ({
  total,
  done,
  failed,
  step,
  position,
  errors: [],
});

/** How one go at a job ended. */
export interface Ending {
  readonly claim: Claimed;
  readonly tally: Tally;
  /** `queued`: it goes back, to be begun again at `again`. */
  readonly status: Exclude<Status, 'running'>;
  readonly again?: Date;
  /** It did not fail and was not finished either: this go does not count. */
  readonly unused?: true;
  readonly result?: string | undefined;
  /** Why it failed as a whole. */
  readonly reason?: Omit<ItemError, 'item'> | undefined;
}

/** Whether the job was still ours. */
export async function recordIn(tx: Tx, claim: Claim, tally: Tally, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await ours(tx, [claim])
    .set({ ...counts(tally), leased_until: instant(until) })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await addErrors(tx, claim.number, tally.errors);
  return true;
}

/** Answers those that were still ours. Those that say nothing but that they are done share one statement. */
export async function endIn(tx: Tx, endings: readonly Ending[], now: Date): Promise<Ending[]> {
  const written: Ending[] = [];
  const plain = endings.filter(isPlain);
  for (const group of Map.groupBy(plain, ({ claim }) => claim.token).values()) {
    const claims = group.map(({ claim }) => claim);
    const rows = await ours(tx, claims)
      .set({ status: 'done', token: null, leased_until: null, finished_at: instant(now) })
      .returning('number')
      .execute();
    const numbers = new Set(rows.map(({ number }) => number));
    written.push(...group.filter(({ claim }) => numbers.has(claim.number)));
  }
  for (const ending of endings) if (!isPlain(ending) && (await endOne(tx, ending, now))) written.push(ending);
  return written;
}

const isPlain = ({ claim, tally, status, result }: Ending): boolean =>
  status === 'done' && result === undefined && hasNoItems(tally) && claim.attempt === 1 && claim.confidential === 0;

/** A job may have items without ever having said how many. */
const hasNoItems = ({ total, done, failed, errors }: Tally): boolean =>
  total === 0 && done === 0 && failed === 0 && errors.length === 0;

async function endOne(tx: Tx, ending: Ending, now: Date): Promise<boolean> {
  const { claim, tally, status, again, unused, result, reason } = ending;
  const isOver = status !== 'queued';
  const { numUpdatedRows } = await ours(tx, [claim])
    .set({
      ...counts(tally),
      status,
      token: null,
      leased_until: null,
      ...(isOver && { finished_at: instant(now), result: result ?? null }),
      ...(isOver && claim.confidential === 1 && { payload: null }),
      ...(again && { run_at: instant(again) }),
      ...(unused && { attempt: claim.attempt - 1 }),
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await addErrors(tx, claim.number, tally.errors);
  await replaceReason(tx, claim.number, reason);
  return true;
}

/** Of a job that is begun again, only what the last go failed of is told. */
export async function replaceReason(tx: Tx, job: number, reason: Ending['reason']): Promise<void> {
  await tx.deleteFrom('job_errors').where('job', '=', job).where('item', '=', '').execute();
  if (reason) await addErrors(tx, job, [{ item: '', ...reason }]);
}

const counts = ({ total, done, failed, step, position }: Tally) => ({
  total: Math.max(total, done + failed),
  done,
  failed,
  step,
  position,
});

const ours = (tx: Tx, claims: readonly Claim[]) =>
  tx
    .updateTable('jobs')
    .where(
      'number',
      'in',
      claims.map(({ number }) => number),
    )
    .where('status', '=', 'running')
    .where('token', '=', claims[0]?.token ?? '');

const atOnce = 500;

async function addErrors(tx: Tx, job: number, errors: readonly ItemError[]): Promise<void> {
  for (let at = 0; at < errors.length; at += atOnce) {
    const values = errors.slice(at, at + atOnce).map((error) => ({ job, ...error }));
    await tx.insertInto('job_errors').values(values).execute();
  }
}
