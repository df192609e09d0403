// One import runs at a time among all processes: two that looked for records which are here already would each find them missing.
import type { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Bounds } from '#store/writing.ts';
import { isUnfinished } from '../../jobs/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  endLease,
  findLease,
  isHeld,
  type Lease,
  type LeaseTables,
  leaseLock,
  renewLease,
  takeLease,
} from '../../platform/leases.ts';
import { transferErrors } from '../errors.ts';
import type { SentStore, SentWriting } from './sent/store.ts';
import type { MovingStore } from './tables.ts';

/** The store of a running import: a write is refused once another import holds the lease. */
export interface LeasedStore extends Store<MovingStore> {
  readonly isLeased: true;
}

export interface Importer {
  /** A process, or a job that any process may continue. */
  readonly holder: string;
  /** What is imported, at the beginning of a sentence. */
  readonly what: string;
}

interface LeaseDeps {
  readonly store: Store<SentStore>;
  readonly clock: Clock;
}

/** The jobs that import a file that was sent to the site. */
export const sentKind = 'moving.import';

export const jobHolder = (id: string): string => `job ${id}`;

const name = 'import';
const life = minute;

/** How long a write of many records may take until it is undone, in milliseconds. */
const longWrites: Bounds = { limit: 2 * minute, patience: minute };

/** Throws `import_under_way` while another import runs. */
export async function withImportLease<R>(
  deps: LeaseDeps,
  { holder, what }: Importer,
  work: (store: LeasedStore) => Promise<R>,
): Promise<R> {
  const { store, clock } = deps;
  const taken = await store.write(async (tx, during) => {
    // Held before jobs are looked at, so that no file is sent in between.
    await during.lock(importLock);
    await refuseSent(tx, holder);
    return takeLease(tx, during, { name, life, holder, detail: what, isResumable: true }, clock());
  }, longWrites);
  if ('held' in taken) throw underWay(taken.held);
  const { token } = taken;
  const renew = (tx: SentWriting) => renewOrThrow(tx, token, clock());
  // An import may write nothing for longer than a lease lives, while it fetches a long file. What fails here, the next write meets too.
  const renewing = setInterval(() => void store.write(renew).catch(() => {}), life / 4);
  renewing.unref();
  try {
    return await work(leased(store, renew));
  } finally {
    clearInterval(renewing);
    // If the store is away by now, the lease runs out.
    await store.write((tx) => endLease(tx, token, clock())).catch(() => {});
  }
}

/** For a dry run. */
export const readOnlyStore = (store: Store<MovingStore>): LeasedStore => ({
  ...store,
  isLeased: true,
  write: async () => {
    throw new Error('A dry run cannot write.');
  },
});

const leased = (store: Store<SentStore>, renew: (tx: SentWriting) => Promise<void>): LeasedStore => ({
  ...store,
  isLeased: true,
  write: (work, bounds) =>
    store.write(async (tx, during) => {
      await renew(tx);
      return work(tx, during);
    }, bounds),
});

/** A write that holds this lock and finds no import running may add one. */
export const importLock = leaseLock(name);

export async function isImportRunning(db: Reads<LeaseTables>, now: Date): Promise<boolean> {
  const lease = await findLease(db, name);
  return lease !== undefined && isHeld(lease, life, now);
}

async function renewOrThrow(tx: SentWriting, token: string, now: Date): Promise<void> {
  if (await renewLease(tx, token, life, now)) return;
  throw new Unavailable('Another import has started, so this one stops.', { code: 'import_under_way' });
}

const underWay = ({ detail, since, holder }: Lease): Problem =>
  refusal(
    `${detail} is being imported by ${holder} since ${since.slice(0, 16)} UTC. Please wait until that has ended.`,
  );

/** Throws while a file that was sent to the site is imported, or waits for it; unless its own job asks. */
async function refuseSent(tx: SentWriting, holder: string): Promise<void> {
  const sent = await tx
    .selectFrom('jobs')
    .leftJoin('sent_files', 'sent_files.job', 'jobs.id')
    .select(['jobs.id', 'jobs.status', 'sent_files.name'])
    .where('jobs.kind', '=', sentKind)
    .where(isUnfinished)
    .executeTakeFirst();
  if (sent === undefined || jobHolder(sent.id) === holder) return;
  const state = sent.status === 'running' ? 'is being imported' : 'is waiting to be imported';
  throw refusal(
    `The uploaded file ${sent.name ?? ''} ${state} by job ${sent.id}. Wait until that has ended, or cancel the job.`,
  );
}

const refusal = (message: string): Problem => transferErrors.importUnderWay().saying(message);
