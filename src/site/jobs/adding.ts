// How a job comes into the queue.
import { randomUUID } from 'node:crypto';
import type { Insertable, Transaction } from 'kysely';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/seal.ts';
import type { Asked, Kind, Queue } from './job.ts';
import { isUnfinished, type JobsTable, type JobTables, queuedTopic } from './tables.ts';

interface Needs {
  readonly store: Store<JobTables>;
  readonly clock: Clock;
  readonly seal: Seal;
}

/** What a job is given is read whole each time it is begun: what is large belongs into a table or a file of its owner. */
const longest = 1_000_000;

export function queueOf<P>(
  kind: Pick<Kind<P>, 'name' | 'confidential' | 'writes' | 'deletes'>,
  { store, clock, seal }: Needs,
): Queue<P> {
  const rowOf = (payload: P, { key, alone, at, by = 0 }: Asked) => {
    const id = randomUUID();
    const text = JSON.stringify(payload ?? null);
    if (text.length > longest)
      throw new Error(`A job of the kind ${kind.name} has more than ${longest} characters of input.`);
    const now = clock();
    return {
      id,
      kind: kind.name,
      key: key ?? null,
      alone: alone ?? null,
      payload: kind.confidential ? seal.close(text, sealedFor(id)) : text,
      confidential: flag(kind.confidential === true),
      status: 'queued' as const,
      run_at: instant(at ?? now),
      by,
      created_at: instant(now),
    };
  };
  const addIn: Queue<P>['addIn'] = async (tx: Transaction<JobTables>, during, payload, asked = {}) => {
    const { writes = [], deletes = [] } = kind;
    for (const action of ['create', 'change'] as const) during.willWrite(writes.map((record) => ({ record, action })));
    during.willWrite(deletes.map((record) => ({ record, action: 'delete' })));
    const id = await insert(tx, rowOf(payload, asked));
    during.changed(queuedTopic);
    return id;
  };
  return {
    add: (payload, asked) => store.write((tx, during: During) => addIn(tx, during, payload, asked)),
    addIn,
  };
}

export const sealedFor = (id: string): string => `job:${id}`;

type Row = Insertable<JobsTable>;

/** A key that is taken by a job that is not finished: that one is answered. */
async function insert(tx: Transaction<JobTables>, row: Row): Promise<string> {
  for (;;) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('jobs')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return row.id;
    const there = await unfinished(tx, row);
    if (there !== undefined) return there; // else it ended between the two statements
  }
}

const unfinished = async (tx: Transaction<JobTables>, { kind, key }: Row): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', kind)
      .where('key', '=', key ?? null)
      .where(isUnfinished)
      .executeTakeFirst()
  )?.id;
