// Looks through the chain of the security log for entries that were changed, deleted or inserted.

import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Reads } from '#store/handles.ts';
import { pausing } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import {
  baseHash,
  beforeAll,
  type ChainedEntry,
  chainedEntries,
  chainIn,
  createChecker,
  type EntryFault,
  isOfChain,
} from './chain.ts';
import { type Checkpoint, newestCheckpoint, readCheckpoints, writeCheckpoint } from './checkpoints.ts';
import { headOf } from './entry.ts';
import { type Kind, kindsIn } from './keeping.ts';
import type { ChainRow, LogTables } from './tables.ts';

export type ChainFault =
  | EntryFault
  | { readonly kind: 'newest-deleted'; readonly after: number; readonly count: number }
  | { readonly kind: 'base-changed' | 'chain-missing' }
  | {
      readonly kind: 'checkpoint-differs' | 'checkpoint-missing' | 'deleted-early';
      readonly checkpoint: Checkpoint;
    };

export interface Verification {
  /** Undefined while nothing was logged since there is a chain. */
  readonly startedAt: string | undefined;
  /** Entries that carry a hash, and those from before the chain began. */
  readonly sealed: number;
  readonly unsealed: number;
  /** Retention deleted entries that are older than this; empty if it deleted none. */
  readonly deletedBefore: string;
  /** The first of them. */
  readonly faults: readonly ChainFault[];
  readonly faultCount: number;
  /** The newest checkpoint that the log agrees with. */
  readonly provenUpTo: Checkpoint | undefined;
}

const mostFaults = 100;

function createFaultList() {
  const faults: ChainFault[] = [];
  let count = 0;
  return {
    faults,
    get count(): number {
      return count;
    },
    add(fault: ChainFault | undefined): void {
      if (fault === undefined) return;
      count += 1;
      if (faults.length < mostFaults) faults.push(fault);
    },
  };
}

type FaultList = ReturnType<typeof createFaultList>;

const emptyChain: ChainRow = {
  id: 0,
  last_seq: 0,
  started_at: '',
  base_id: 0,
  base_seq: 0,
  base_seal: '',
  deleted_before: '',
  base_hash: '',
};

export async function verifyLog(
  db: Reads<LogTables>,
  hash: KeyedHash,
  checkpoints: readonly Checkpoint[],
  signal?: AbortSignal,
): Promise<Verification> {
  const list = createFaultList();
  const row = await chainIn(db);
  const chain = row ?? emptyChain;
  if (row !== undefined && row.base_hash !== baseHash(hash, row)) list.add({ kind: 'base-changed' });
  const wanted = new Set(checkpoints.map(({ seq }) => seq));
  const { last, seals, sealed, unsealed } = await followEntries(db, { hash, chain, wanted, list, signal });
  if (chain.last_seq > last.seq) list.add({ kind: 'newest-deleted', after: last.id, count: chain.last_seq - last.seq });
  let provenUpTo: Checkpoint | undefined;
  if (row === undefined && checkpoints.length > 0) list.add({ kind: 'chain-missing' });
  else
    for (const checkpoint of checkpoints.toSorted((one, other) => one.seq - other.seq)) {
      const fault = faultOf(checkpoint, chain, last.seq, seals);
      list.add(fault);
      if (fault === undefined && checkpoint.seq >= chain.base_seq) provenUpTo = checkpoint;
    }
  const { faults, count: faultCount } = list;
  const [startedAt, deletedBefore] = [row?.started_at, chain.deleted_before];
  return { startedAt, sealed, unsealed, deletedBefore, faults, faultCount, provenUpTo };
}

interface Following {
  readonly hash: KeyedHash;
  readonly chain: ChainRow;
  /** Places of which the hashes are answered. */
  readonly wanted: ReadonlySet<number>;
  readonly list: FaultList;
  readonly signal: AbortSignal | undefined;
}

const atOnce = 500;

async function followEntries(db: Reads<LogTables>, { hash, chain, wanted, list, signal }: Following) {
  const checker = createChecker(hash, chain);
  const isKindOf = kindCheck(await kindsIn(db));
  const isOurs = (row: ChainedEntry) => (chain === emptyChain ? row.seal !== null : isOfChain(chain, row));
  const seals = new Map<number, string>([[chain.base_seq, chain.base_seal]]);
  let [sealed, unsealed] = [0, 0];
  const look = (row: ChainedEntry): void => {
    sealed += 1;
    const fault = checker.judge(row) ?? (isKindOf(row) ? undefined : { kind: 'changed', id: row.id });
    list.add(fault);
    if (fault === undefined && wanted.has(row.seq!)) seals.set(row.seq!, row.seal!);
  };
  const pause = pausing();
  for (let rows = await chainedEntries(db, beforeAll, atOnce); rows.length > 0; ) {
    for (const row of rows)
      if (isOurs(row)) look(row);
      else unsealed += 1;
    await pause();
    signal?.throwIfAborted();
    rows = await chainedEntries(db, rows.at(-1)!.id, atOnce);
  }
  return { last: checker.last, seals, sealed, unsealed };
}

/** The number of its kind leads lists to an entry, so it has to fit what the entry says. */
function kindCheck(all: readonly Kind[]): (row: ChainedEntry) => boolean {
  const kinds = new Map(all.map((kind) => [kind.id, kind]));
  return ({ kind: id, module, code, type }) => {
    const kind = kinds.get(id);
    return kind?.module === module && kind.head === headOf(code) && kind.type === type;
  };
}

function faultOf(
  checkpoint: Checkpoint,
  { base_seq, deleted_before, started_at }: ChainRow,
  lastSeq: number,
  seals: ReadonlyMap<number, string>,
): ChainFault | undefined {
  if (checkpoint.started_at !== started_at) return { kind: 'checkpoint-differs', checkpoint };
  // Retention deleted entries that came after this checkpoint, so what it deletes has to reach beyond its date. Clocks may differ a bit.
  if (checkpoint.seq < base_seq) {
    const isEarly = Date.parse(checkpoint.at) > (Date.parse(deleted_before) || 0) + day;
    return isEarly ? { kind: 'deleted-early', checkpoint } : undefined;
  }
  if (checkpoint.seq > lastSeq) return { kind: 'checkpoint-missing', checkpoint };
  return seals.get(checkpoint.seq) === checkpoint.seal ? undefined : { kind: 'checkpoint-differs', checkpoint };
}

export interface LogProof {
  /** Whether anything in the database was changed, deleted or inserted since it was written. */
  verify(signal?: AbortSignal): Promise<LogVerification>;
  /** Writes how far the chain goes. Answers the path of the file; undefined without a folder, or while nothing was logged. */
  checkpoint(): Promise<string | undefined>;
}

export interface LogVerification extends Verification {
  /** How many checkpoints were compared with it. */
  readonly checkpoints: number;
  /** Files among the checkpoints that this site did not write, or that were changed. */
  readonly foreign: readonly string[];
}

interface ProofDeps {
  readonly store: Pick<Store<LogTables>, 'db' | 'still'>;
  readonly clock: Clock;
  readonly hash: KeyedHash;
  /** The folder of the checkpoints. */
  readonly checkpoints?: string | undefined;
  flush(): Promise<void>;
}

export const createProof = ({ store, clock, hash, checkpoints: folder, flush }: ProofDeps): LogProof => ({
  async verify(signal) {
    const { checkpoints, foreign } =
      folder === undefined ? { checkpoints: [], foreign: [] } : await readCheckpoints(folder, hash);
    const verification = await store.still((db) => verifyLog(db, hash, checkpoints, signal));
    return { ...verification, checkpoints: checkpoints.length, foreign };
  },
  async checkpoint() {
    if (folder === undefined) return undefined;
    await flush();
    const newest = await newestCheckpoint(store.db, clock());
    return newest && writeCheckpoint(folder, hash, newest);
  },
});
