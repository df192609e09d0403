// The chain of the security log: each entry carries a keyed hash over itself and over the hash of the entry before it, so that an entry
// that is changed, deleted or inserted in the database shows.
import type { Transaction } from 'kysely';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Reads } from '#store/handles.ts';
import type { Entry, NewEntry } from './entry.ts';
import { type ChainRow, entryColumns, type LogTables } from './tables.ts';

type Tx = Transaction<LogTables>;

export interface Seal {
  readonly seq: number;
  readonly seal: string;
}

/** The purpose of the key that seals the log. */
export const logKey = 'security log';

/** Places in the chain for the entries of one write. */
export interface Claim {
  /** Of the next of them, once the database gave it its id. */
  next(entry: Entry): Seal;
  /** The write is durable. */
  written(): void;
}

export interface Chain {
  /** Waits until no other write has the chain, so call it before entries get their ids: these are in the order of the chain. */
  claim(tx: Tx, entries: readonly NewEntry[]): Promise<Claim>;
}

/** The JSON ends before the data, which is not written a second time as a JSON text. */
export const sealOf = (hash: KeyedHash, previous: string, seq: number, entry: Entry): string =>
  hash(
    `entry\n${JSON.stringify([
      previous,
      seq,
      entry.id,
      entry.parent_id,
      entry.module,
      entry.code,
      entry.type,
      entry.created_at,
      entry.started_at,
      entry.memory_current,
      entry.memory_peak,
      entry.url,
      entry.site,
      entry.user_id,
      entry.remote_ip,
    ])}${entry.data}`,
  );

type Base = Omit<ChainRow, 'id' | 'last_seq' | 'base_hash'>;

export const baseHash = (hash: KeyedHash, base: Base): string =>
  hash(`base\n${JSON.stringify([base.started_at, base.base_id, base.base_seq, base.base_seal, base.deleted_before])}`);

/** The row has the lowest id there is. */
const only = 1;

export const chainIn = (db: Pick<Reads<LogTables>, 'selectFrom'>): Promise<ChainRow | undefined> =>
  db.selectFrom('secsuite_log_chain').selectAll().where('id', '=', only).executeTakeFirst();

export function createChain(hash: KeyedHash): Chain {
  /** The last entry that this process wrote. Another process may have written more since. */
  let known: Seal | undefined;
  return {
    async claim(tx, entries) {
      const row = (await advance(tx, entries.length)) ?? (await begin(tx, hash, entries));
      let seq = row.last_seq - entries.length;
      // Entries that this process wrote are gone from the database. The chain goes on after them, so a gap shows that.
      if (known !== undefined && seq < known.seq) {
        seq = known.seq;
        await setLast(tx, seq + entries.length);
      }
      let seal = known?.seq === seq ? known.seal : await lastSeal(tx, row);
      return {
        next(entry) {
          seq += 1;
          seal = sealOf(hash, seal, seq, entry);
          return { seq, seal };
        },
        written() {
          known = { seq, seal };
        },
      };
    },
  };
}

type Position = Pick<ChainRow, 'last_seq' | 'base_id' | 'base_seal'>;

/** Locks the row, on PostgreSQL, until the write ends. */
const advance = (tx: Tx, by: number): Promise<Position | undefined> =>
  tx
    .updateTable('secsuite_log_chain')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '+', by) }))
    .where('id', '=', only)
    .returning(['last_seq', 'base_id', 'base_seal'])
    .executeTakeFirst();

const setLast = async (tx: Tx, last_seq: number): Promise<void> => {
  await tx.updateTable('secsuite_log_chain').set({ last_seq }).where('id', '=', only).execute();
};

/** Entries that are there already stay outside of the chain. */
async function begin(tx: Tx, hash: KeyedHash, entries: readonly NewEntry[]): Promise<Position> {
  const { last } = await tx
    .selectFrom('secsuite_logs')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const base: Base = {
    started_at: entries[0]!.created_at,
    base_id: Number(last ?? 0),
    base_seq: 0,
    base_seal: '',
    deleted_before: '',
  };
  await tx
    .insertInto('secsuite_log_chain')
    .values({ id: only, last_seq: 0, ...base, base_hash: baseHash(hash, base) })
    .onConflict((on) => on.column('id').doNothing())
    .execute();
  return (await advance(tx, entries.length))!;
}

async function lastSeal(tx: Tx, { base_id, base_seal }: Position): Promise<string> {
  const last = await tx
    .selectFrom('secsuite_logs_data')
    .select('seal')
    .where('id', '>', base_id)
    .where('seal', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.seal ?? base_seal;
}

/** Retention deletes these, the oldest there are: the chain now begins after the last of them. */
export async function moveBase(
  tx: Tx,
  hash: KeyedHash,
  { started_at }: ChainRow,
  deleted: readonly ChainedEntry[],
  before: string,
): Promise<void> {
  const last = deleted.findLast(({ seq, seal }) => seq !== null && seal !== null);
  if (last === undefined) return;
  const base: Base = {
    started_at,
    base_id: last.id,
    base_seq: last.seq!,
    base_seal: last.seal!,
    deleted_before: before,
  };
  await tx
    .updateTable('secsuite_log_chain')
    .set({ ...base, base_hash: baseHash(hash, base) })
    .where('id', '=', only)
    .execute();
}

/** An entry with its place in the chain. All of it may have been changed in the database. */
export type ChainedEntry = Omit<Entry, 'data'> & {
  readonly kind: number;
  readonly data: string | null;
  readonly seq: number | null;
  readonly seal: string | null;
};

/** So many are missing before an entry: it cannot be checked itself, because its hash covers that of the one before it. */
interface Gap {
  readonly kind: 'deleted';
  readonly id: number;
  readonly after: number;
  readonly count: number;
}

/** `unsure`: the entry before it does not fit, so it is not known whether this one was changed too. */
export type EntryFault = Gap | { readonly kind: 'changed' | 'inserted' | 'unsure'; readonly id: number };

type Start = Pick<ChainRow, 'base_id' | 'base_seq' | 'base_seal'>;

/** Entries from before the chain began have no hash. None of them is left once retention has deleted entries of the chain. */
export const isOfChain = ({ base_id, base_seq }: Start, { id, seal }: Pick<ChainedEntry, 'id' | 'seal'>): boolean =>
  seal !== null || id > base_id || id <= 0 || base_seq > 0;

/** Takes entries in the order of their ids, and answers what is wrong with each. */
export function createChecker(hash: KeyedHash, base: Start) {
  let last = { id: base.base_id, seq: base.base_seq, seal: base.base_seal, isSound: true };
  const judge = (row: ChainedEntry): EntryFault | undefined => {
    const { id, seq, seal, data } = row;
    if (seq === null || seal === null || seq <= last.seq) return { kind: 'inserted', id };
    const before = last;
    last = { id, seq, seal, isSound: false };
    if (seq > before.seq + 1) return { kind: 'deleted', id, after: before.id, count: seq - before.seq - 1 };
    last.isSound = data !== null && seal === sealOf(hash, before.seal, seq, { ...row, data });
    if (last.isSound) return undefined;
    return { kind: before.isSound ? 'changed' : 'unsure', id };
  };
  return {
    judge,
    get last(): { readonly id: number; readonly seq: number } {
      return last;
    },
  };
}

/** No id is lower. Entries of the log have ids above 0, unless a person inserted them. */
export const beforeAll = Number.MIN_SAFE_INTEGER;

/** Those after this one, in the order of their ids. */
export const chainedEntries = (
  db: Pick<Reads<LogTables>, 'selectFrom'>,
  after: number,
  most: number,
): Promise<ChainedEntry[]> =>
  db
    .selectFrom('secsuite_logs')
    .leftJoin('secsuite_logs_data', 'secsuite_logs_data.id', 'secsuite_logs.id')
    .select([...entryColumns, 'kind', 'seq', 'seal'])
    .where('secsuite_logs.id', '>', after)
    .orderBy('secsuite_logs.id')
    .limit(most)
    .execute() as Promise<ChainedEntry[]>;
