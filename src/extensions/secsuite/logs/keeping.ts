// Puts entries where they are kept, a group in one write, with the totals that follow them; and takes them away again when
// their time is over.
// A module, the head of a code and a type together are one kind with one number, so that three filters are one.

import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { addToDays, forgetDays } from '#site/platform/daily-counts.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Reads } from '#store/handles.ts';
import { inSlices } from '#store/slices.ts';
import { inFewSizes } from '#store/statements.ts';
import type { Store } from '#store/store.ts';
import { forget, rotate } from '../disk/log-lines.ts';
import type { ModuleSettings } from '../settings/types.ts';
import {
  beforeAll,
  type Chain,
  type Claim,
  chainedEntries,
  chainIn,
  createChain,
  createChecker,
  type EntryFault,
  isOfChain,
  moveBase,
} from './chain.ts';
import { headOf, type NewEntry, toTheSecond } from './entry.ts';
import { countEvents } from './events.ts';
import { type FileSettings, fileFor } from './log-file.ts';
import { type LogTables, totalOf, totalsOf } from './tables.ts';

type LogStore = Pick<Store<LogTables>, 'db' | 'write'>;

/** Keeps a group of entries, all or none; answers their numbers. */
export type Keep = (entries: readonly NewEntry[]) => Promise<number[]>;

export function createKeep(store: LogStore, hash: KeyedHash, chain: Chain = createChain(hash)): Keep {
  let known: ReadonlyMap<string, number> = new Map();
  return async (entries) => {
    if (entries.length === 0) return [];
    const { ids, numbers, claim } = await store.write(async (tx) => {
      const numbers = await numbered(tx, entries, known);
      const kindOf = kindBy(numbers);
      const rows = entries.map((entry) => ({ ...entry, kind: kindOf(entry) }));
      const claim = await chain.claim(tx, entries);
      const ids = await inserted(tx, rows, claim);
      await count(tx, rows, 1);
      await countEvents(tx, entries, hash);
      return { ids, numbers, claim };
    });
    known = numbers; // not before they are there for good
    claim.written();
    return ids;
  };
}

type Row = NewEntry & { readonly kind: number };

async function inserted(tx: Transaction<LogTables>, rows: readonly Row[], claim: Claim): Promise<number[]> {
  const ids: number[] = [];
  for (const part of inFewSizes(rows.map(split))) {
    // The database gives the number that a row lacks, to the first the lowest.
    const given = await tx
      .insertInto('secsuite_logs')
      .values(part.map(({ sought }) => sought) as never)
      .returning('id')
      .execute();
    const numbers = given.map(({ id }) => id).sort((one, other) => one - other);
    await tx
      .insertInto('secsuite_logs_data')
      .values(
        part.map(({ apart, entry }, at) => {
          const id = numbers[at]!;
          return { id, ...apart, ...claim.next({ ...entry, id }) };
        }),
      )
      .execute();
    ids.push(...numbers);
  }
  return ids;
}

/** What is looked for, and what lies apart. */
const split = (entry: Row) => {
  const { parent_id, memory_current, memory_peak, data, ...sought } = entry;
  return { entry, sought, apart: { parent_id, memory_current, memory_peak, data } };
};

/** So many more of what these are, or fewer. */
const count = (
  tx: Transaction<LogTables>,
  rows: readonly Pick<Row, 'created_at' | 'kind' | 'user_id'>[],
  by: 1 | -1,
): Promise<void> =>
  addToDays(
    tx,
    rows.map(({ created_at, kind, user_id }) => ({
      name: totalOf(kind),
      day: created_at.slice(0, 10),
      subject: String(user_id),
      count: by,
    })),
  );

interface Old {
  /** Entries of this time and later are kept. */
  readonly before: string;
  /** An entry of a later time has a wrong one, and goes with those around it. */
  readonly latest: string;
}

interface Deleted {
  readonly count: number;
  /** Those that did not fit the chain. */
  readonly faults: readonly EntryFault[];
}

/**
 * Deletes at most so many of the oldest entries, in the order in which they were written, up to the first that is not old: what is left
 * has no gaps, so it can be verified.
 */
const deleteOld = (store: LogStore, hash: KeyedHash, { before, latest }: Old, most: number): Promise<Deleted> =>
  store.write(async (tx) => {
    const rows = await chainedEntries(tx, beforeAll, most);
    const young = rows.findIndex(({ created_at: at }) => at >= before && at <= latest);
    const old = young < 0 ? rows : rows.slice(0, young);
    if (old.length === 0) return { count: 0, faults: [] };
    const chain = await chainIn(tx);
    const checker = chain && createChecker(hash, chain);
    const sealed = chain === undefined ? [] : old.filter((row) => isOfChain(chain, row));
    const faults = sealed.flatMap((row) => checker?.judge(row) ?? []);
    if (chain !== undefined) await moveBase(tx, hash, chain, old, before);
    const ids = old.map(({ id }) => id);
    await tx.deleteFrom('secsuite_logs').where('id', 'in', ids).execute();
    await tx.deleteFrom('secsuite_logs_data').where('id', 'in', ids).execute();
    await count(tx, old, -1);
    return { count: old.length, faults };
  });

/** Totals of days of which nothing is left are forgotten, at most so many; answers how many. */
const forgetTotals = (store: LogStore, before: string, most: number): Promise<number> =>
  store.write((tx) => forgetDays(tx, totalsOf(tx), before.slice(0, 10), most));

export interface Kind {
  readonly id: number;
  readonly module: string;
  readonly head: string;
  readonly type: string;
}

type Named = Omit<Kind, 'id'>;

const kindOf = ({ module, code, type }: NewEntry): Named => ({ module, head: headOf(code), type });
const keyOf = ({ module, head, type }: Named): string => JSON.stringify([module, head, type]);

export const kindsIn = (db: Reads<LogTables>): Promise<Kind[]> =>
  db.selectFrom('secsuite_log_kinds').select(['id', 'module', 'head', 'type']).execute();

export type KindOf = (entry: NewEntry) => number;

/** The numbers of what these entries are; those of new kinds are given in this write. */
export async function numbered(
  tx: Transaction<LogTables>,
  entries: readonly NewEntry[],
  known: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map(entries.map((entry) => [keyOf(kindOf(entry)), kindOf(entry)]));
  const missing = [...wanted.keys()].filter((key) => !known.has(key)).sort();
  if (missing.length === 0) return known;
  for (const key of missing)
    await tx
      .insertInto('secsuite_log_kinds')
      .values(wanted.get(key)! as never)
      .onConflict((on) => on.columns(['module', 'head', 'type']).doNothing())
      .execute();
  return new Map((await kindsIn(tx)).map((kind) => [keyOf(kind), kind.id]));
}

export const kindBy =
  (numbers: ReadonlyMap<string, number>): KindOf =>
  (entry) => {
    const number = numbers.get(keyOf(kindOf(entry)));
    if (number === undefined) throw new Error(`Entries of ${entry.module} have no number for ${headOf(entry.code)}.`);
    return number;
  };

/** Where entries go, and for how long. */
export type KeptSettings = FileSettings & Pick<ModuleSettings['global'], 'log_type' | 'log_rotation'>;

export interface Retention {
  /** Takes away what has been there long enough, in slices; answers how many entries and files went. */
  purge(signal?: AbortSignal): Promise<{ entries: number; files: number }>;
}

interface Needs {
  readonly store: Store<LogTables>;
  readonly clock: Clock;
  readonly settings: () => KeptSettings;
  readonly hash: KeyedHash;
  /** Called with entries that were old enough to be deleted and did not fit the chain. */
  readonly onFaults: (faults: readonly EntryFault[]) => void;
}

/** A file of so many bytes is put aside; so many of these are kept. */
const longest = 10 * 1024 * 1024;
const mostFiles = 100;

export const createRetention = (needs: Needs): Retention => ({
  purge: async (signal) => ({ entries: await purged(needs, signal), files: await rotated(needs) }),
});

async function purged({ store, clock, settings, hash, onFaults }: Needs, signal?: AbortSignal): Promise<number> {
  // Entries of a time when they were kept here stay no longer than others.
  const { log_rotation } = settings();
  if (log_rotation <= 0) return 0;
  const now = clock().getTime();
  const before = toTheSecond(Math.max(now - log_rotation * day, 0));
  const old: Old = { before, latest: toTheSecond(now + day) };
  const take = async (most: number): Promise<number> => {
    const { count: done, faults } = await deleteOld(store, hash, old, most);
    if (faults.length > 0) onFaults(faults);
    return done;
  };
  const gone = await inSlices(take, { signal });
  await inSlices((most) => forgetTotals(store, before, most), { signal });
  return gone;
}

async function rotated({ clock, settings }: Needs): Promise<number> {
  const { log_type, file_log_rotation, ...rest } = settings();
  if (log_type === 'database') return 0;
  const { folder, name } = fileFor(rest);
  const path = join(folder, name);
  await rotate(path, longest, mostFiles);
  if (file_log_rotation <= 0) return 0;
  return forget(path, mostFiles, new Date(clock().getTime() - file_log_rotation * day));
}
