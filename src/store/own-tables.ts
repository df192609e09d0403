// What a migration of a package may touch: tables whose names begin as its own do. It is told by its statements, so that its author
// learns which one it was, and by the tables that are there afterwards, however they were spelt.
import type { CompiledQuery } from 'kysely';
import type { Engine, Run } from './engine.ts';
import { tablesOf } from './touched.ts';

/** How the names of its tables begin; `others`: longer beginnings, of packages whose slugs begin as its own. */
export interface Own {
  readonly prefix: string;
  readonly others?: readonly string[] | undefined;
}

const NAMED =
  /\b(?:references|(?:create|alter|drop)\s+table(?:\s+if\s+(?:not\s+)?exists)?|rename\s+to|create\s+(?:unique\s+)?index\b[^(]*?\bon(?:\s+only)?)\s+["`[]?(\w+)/gi;
/** It hides the table of that name, or is empty after a crash. */
const FLEETING = /\bcreate\s+(?:(?:global|local)\s+)?(?:temp|temporary|unlogged)\b/i;

/** Does what it does with its own tables alone. */
export async function amongItsOwn(
  engine: Pick<Engine, 'tables'>,
  run: Run,
  own: Own,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const before = new Set(await engine.tables(run));
  await work((query) => {
    refuseForeign(query, own);
    return run(query);
  });
  const after = new Set(await engine.tables(run));
  const foreign = [...before.symmetricDifference(after)].find((name) => !isOwn(name, own));
  if (foreign !== undefined) throw notItsOwn(foreign, own);
}

const isOwn = (name: string, { prefix, others = [] }: Own): boolean =>
  name.startsWith(prefix) && !others.some((longer) => name.startsWith(longer));

function refuseForeign(query: CompiledQuery, own: Own): void {
  if (FLEETING.test(query.sql)) throw new Error('A table that does not last is none that others can rely on.');
  const named = [...query.sql.matchAll(NAMED)].map(([, name]) => name!);
  const foreign = [...named, ...tablesOf(query).written].find((name) => !isOwn(name.toLowerCase(), own));
  if (foreign !== undefined) throw notItsOwn(foreign, own);
}

const notItsOwn = (name: string, { prefix }: Own): Error =>
  new Error(`"${name}" is not its own: names of its tables begin with ${prefix}, and they refer to no others.`);
