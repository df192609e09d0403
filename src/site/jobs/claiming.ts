// How a job becomes the work of one process, and of no other.
import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { JobsTable, JobTables } from './tables.ts';

type Tx = Transaction<JobTables>;

/** Kinds that share a number of places, and how many of these are free. */
export interface Room {
  readonly kinds: readonly string[];
  readonly places: number;
}

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

export interface Claim {
  readonly engine: Store<unknown>['engine'];
  readonly now: Date;
  /** Until when the jobs are ours, unless we say that we are still there. */
  readonly until: Date;
  /** Only this one. */
  readonly id?: string | undefined;
}

/** Takes as many jobs that are due as there is room for. */
export async function claimIn(tx: Tx, during: During, rooms: readonly Room[], claim: Claim): Promise<Claimed[]> {
  const found: Found[] = [];
  for (const room of rooms) found.push(...(await due(tx, room, claim)));
  const chosen = onlyOneEach(found);
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

interface Found {
  readonly number: number;
  readonly alone: string | null;
}

const nobodyElse = sql<boolean>`(alone is null or not exists (
  select 1 from jobs as other where other.alone = jobs.alone and other.status = 'running'))`;

const due = (tx: Tx, { kinds, places }: Room, { engine, now, id }: Claim): Promise<Found[]> =>
  tx
    .selectFrom('jobs')
    .select(['number', 'alone'])
    .where('status', '=', 'queued')
    .where('kind', 'in', kinds)
    .where('run_at', '<=', instant(now))
    .where(nobodyElse)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('run_at')
    .orderBy('number')
    .limit(places)
    // SQLite has one writer: nobody else is looking for work in this moment.
    .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute();

function onlyOneEach(found: readonly Found[]): Found[] {
  const taken = new Set<string>();
  return found.filter(({ alone }) => {
    if (alone === null) return true;
    const isFirst = !taken.has(alone);
    taken.add(alone);
    return isFirst;
  });
}

/** When the first job of each kind that waits is due; one look into the index for each. */
export async function firstDue({ db }: Store<JobTables>, kinds: readonly string[]): Promise<Map<string, Date>> {
  if (kinds.length === 0) return new Map();
  const row = await db
    .selectNoFrom((of) =>
      kinds.map((kind, at) =>
        of
          .selectFrom('jobs')
          .select('run_at')
          .where('status', '=', 'queued')
          .where('kind', '=', kind)
          .orderBy('run_at')
          .limit(1)
          .as(`first_${at}`),
      ),
    )
    .executeTakeFirstOrThrow();
  const firsts = row as Record<string, string | null>;
  return new Map(
    kinds.flatMap((kind, at) => {
      const first = firsts[`first_${at}`];
      return first == null ? [] : [[kind, new Date(first)] as const];
    }),
  );
}
