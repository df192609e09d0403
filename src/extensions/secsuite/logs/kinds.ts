// What kinds of entries there are: a module, the head of a code and a type together are one number, so that three filters are one.
import type { Transaction } from 'kysely';
import type { Reads } from '#store/handles.ts';
import { headOf, type NewEntry } from './entry.ts';
import type { LogTables } from './tables.ts';

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
