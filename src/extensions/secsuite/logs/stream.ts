// Entries in the order in which they were kept, however many there are: to carry them elsewhere, or to look at what comes.
import { sql } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { Entry } from './entry.ts';
import { kindsIn } from './kinds.ts';
import { entriesOf } from './list.ts';
import { all, conditionsOf, type Filters, isHopeless, soughtBy } from './sought.ts';
import type { LogTables } from './tables.ts';

const atOnce = 500;

/** Those after this one; read by their numbers alone, so that each is looked at once. */
export async function following(db: Reads<LogTables>, filters: Filters, after: number): Promise<Entry[]> {
  const sought = soughtBy(filters, await kindsIn(db));
  if (isHopeless(sought)) return [];
  const where = all([sql`id > ${after}`, ...conditionsOf(sought, 'nothing')]);
  const { rows } = await sql<{ id: number }>`
    select id from secsuite_logs where ${where} order by id limit ${atOnce}`.execute(db as never);
  return entriesOf(
    db,
    rows.map(({ id }) => id),
  );
}

/** All of them, a few at a time. */
export async function* everyEntry(db: Reads<LogTables>, filters: Filters): AsyncGenerator<Entry> {
  let last = 0;
  for (;;) {
    const some = await following(db, filters, last);
    if (some.length === 0) return;
    yield* some;
    last = some.at(-1)!.id;
  }
}

/**
 * What comes, each once. An entry may become visible after one with a higher number: so those of the last few looks are looked at
 * again.
 */
export function newcomers(db: Reads<LogTables>, filters: Filters, after: number): () => Promise<Entry[]> {
  const looks: number[] = [after, after, after];
  let seen = new Set<number>();
  return async () => {
    const since = looks[0]!;
    const come: Entry[] = [];
    let last = since;
    for (let some = await following(db, filters, last); some.length > 0; some = await following(db, filters, last)) {
      come.push(...some.filter(({ id }) => id > after && !seen.has(id)));
      last = some.at(-1)!.id;
      for (const { id } of some) seen.add(id);
    }
    looks.push(last);
    looks.shift();
    seen = new Set([...seen].filter((id) => id > looks[0]!));
    return come;
  };
}
