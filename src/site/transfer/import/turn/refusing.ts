// What whoever wants to move in is told while somebody else does.
import { Problem } from '#kernel/problem.ts';
import { isUnfinished } from '../../../jobs/tables.ts';
import type { SentWriting } from '../sent/store.ts';
import type { TurnsTable } from './tables.ts';

/** The jobs that move in what was sent to the site. */
export const sentKind = 'moving.import';

export const jobHolder = (id: string): string => `job ${id}`;

export const underWay = (turn: Pick<TurnsTable, 'what' | 'since' | 'holder'> | undefined): Problem =>
  refusal(
    turn === undefined
      ? 'Something else is being moved in. Please wait until that is done.'
      : `${turn.what} is being moved in, by ${turn.holder} since ${turn.since.slice(0, 16)} UTC. Please wait until that is done.`,
  );

/** Throws while a file that was sent to the site is moved in, or waits for it; unless that is what asks. */
export async function refuseSent(tx: SentWriting, holder: string): Promise<void> {
  const sent = await tx
    .selectFrom('jobs')
    .leftJoin('sent_files', 'sent_files.job', 'jobs.id')
    .select(['jobs.id', 'jobs.status', 'sent_files.name'])
    .where('jobs.kind', '=', sentKind)
    .where(isUnfinished)
    .executeTakeFirst();
  if (sent === undefined || jobHolder(sent.id) === holder) return;
  const state = sent.status === 'running' ? 'is being moved in' : 'waits to be moved in';
  throw refusal(
    `The file ${sent.name ?? ''} that was sent to the site ${state}, by job ${sent.id}. Please wait until that is done, or cancel the job.`,
  );
}

const refusal = (message: string): Problem => new Problem(409, 'import_under_way', message);
