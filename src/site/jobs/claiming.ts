// How a job becomes the work of one process, and of no other.
import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { chosenOf, type Looking, type Room } from './choosing.ts';
import type { JobsTable, JobTables } from './tables.ts';

type Tx = Transaction<JobTables>;

export interface Claimed
  extends Pick<
    Selectable<JobsTable>,
    | 'id'
    | 'kind'
    | 'alone'
    | 'payload'
    | 'confidential'
    | 'cancelled'
    | 'attempt'
    | 'total'
    | 'done'
    | 'failed'
    | 'step'
    | 'position'
  > {
  readonly number: number;
  readonly token: string;
}

interface Claim extends Looking {
  /** Until when the jobs are ours, unless we say that we are still there. */
  readonly until: Date;
}

/** Takes as many jobs that are due as there is room for. */
export async function claimIn(tx: Tx, during: During, rooms: readonly Room[], claim: Claim): Promise<Claimed[]> {
  const chosen = await chosenOf(tx, rooms, claim);
  if (chosen.length === 0) return [];
  // Two processes may have found different jobs that must not run side by side; past this point, one sees what the other began.
  if (chosen.some(({ alone }) => alone !== null)) await during.lock('jobs.alone');
  const token = randomUUID();
  const taken = await tx
    .updateTable('jobs')
    .set((of) => ({
      status: 'running',
      token,
      leased_until: instant(claim.until),
      attempt: of('attempt', '+', 1),
      started_at: of.fn.coalesce('started_at', of.val(instant(claim.now))),
    }))
    .where(
      'number',
      'in',
      chosen.map(({ number }) => number),
    )
    .where('status', '=', 'queued')
    .where(nobodyElse)
    .returning(['number', 'id', 'kind', 'alone', 'payload', 'confidential', 'cancelled', 'attempt'])
    .returning(['total', 'done', 'failed', 'step', 'position'])
    .execute();
  return taken.map((row) => ({ ...row, token })).sort((one, other) => one.number - other.number);
}

const nobodyElse = sql<boolean>`(alone is null or not exists (
  select 1 from jobs as other where other.alone = jobs.alone and other.status = 'running'))`;
