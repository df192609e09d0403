// Looks through the chain of the security log for entries that were changed, deleted or inserted.

import { day } from '#lib/spans.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Reads } from '#store/handles.ts';
import { pausing } from '#store/slices.ts';
import { baseHash, chainedEntries, chainIn, createChecker, type EntryFault } from './chain.ts';
import type { Checkpoint } from './checkpoints.ts';
import { headOf } from './entry.ts';
import { kindsIn } from './keeping.ts';
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
  readonly deletedBefore: string;
  /** The first of them. */
  readonly faults: readonly ChainFault[];
  readonly faultCount: number;
  /** The newest checkpoint that the log agrees with. */
  readonly provenUpTo: Checkpoint | undefined;
}

const mostFaults = 100;
const atOnce = 500;

export async function verifyLog(
  db: Reads<LogTables>,
  hash: KeyedHash,
  checkpoints: readonly Checkpoint[],
): Promise<Verification> {
  const chain = await chainIn(db);
  const faults: ChainFault[] = [];
  let faultCount = 0;
  const report = (fault: ChainFault | undefined): void => {
    if (fault === undefined) return;
    faultCount += 1;
    if (faults.length < mostFaults) faults.push(fault);
  };
  const base = chain ?? { base_id: 0, base_seq: 0, base_seal: '', deleted_before: '', started_at: '' };
  if (chain !== undefined && chain.base_hash !== baseHash(hash, chain)) report({ kind: 'base-changed' });
  const checker = createChecker(hash, base);
  const kinds = new Map((await kindsIn(db)).map((kind) => [kind.id, kind]));
  const wanted = new Set(checkpoints.map(({ seq }) => seq));
  const seals = new Map<number, string>([[base.base_seq, base.base_seal]]);
  const counts = { sealed: 0, unsealed: 0 };
  const pause = pausing();
  for (let after = 0; ; ) {
    const rows = await chainedEntries(db, after, atOnce);
    for (const row of rows) {
      if (row.seal === null && (chain === undefined || row.id <= base.base_id)) {
        counts.unsealed += 1;
        continue;
      }
      counts.sealed += 1;
      const fault = checker.judge(row);
      const kind = kinds.get(row.kind);
      const isKind = kind?.module === row.module && kind.head === headOf(row.code) && kind.type === row.type;
      report(fault ?? (isKind ? undefined : { kind: 'changed', id: row.id }));
      if (row.seq !== null && row.seal !== null && fault === undefined && wanted.has(row.seq))
        seals.set(row.seq, row.seal);
    }
    if (rows.length < atOnce) break;
    after = rows.at(-1)!.id;
    await pause();
  }
  const { last } = checker;
  if (chain !== undefined && chain.last_seq > last.seq)
    report({ kind: 'newest-deleted', after: last.id, count: chain.last_seq - last.seq });
  if (chain === undefined && checkpoints.length > 0) report({ kind: 'chain-missing' });
  let provenUpTo: Checkpoint | undefined;
  for (const checkpoint of chain === undefined ? [] : checkpoints.toSorted((a, b) => a.seq - b.seq)) {
    const fault = faultOf(checkpoint, chain!, last.seq, seals);
    report(fault);
    if (fault === undefined && checkpoint.seq >= base.base_seq) provenUpTo = checkpoint;
  }
  return {
    startedAt: chain?.started_at,
    ...counts,
    deletedBefore: base.deleted_before,
    faults,
    faultCount,
    provenUpTo,
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
