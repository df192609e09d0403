// Several texts looked for at once in a search table or a words table, and some that must not be there: asked as one, so that the index alone
// answers, and counts.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { contains } from './contains.ts';
import type { EngineName } from './engine.ts';
import type { AnyTables, Reads } from './handles.ts';
import { phrase } from './search.ts';
import { holdingWords, wordsPhrase } from './words.ts';

/** A text in some of the columns. */
export interface Part {
  readonly term: string;
  readonly columns: readonly string[];
}

/** Terms are folded and long enough to be indexed (`isSearchable`, `isIndexed`); lists have something in them. */
export type Sought =
  | Part
  | { readonly mark: string; readonly among: readonly string[] }
  /** In a words table: any of these words. */
  | { readonly words: readonly number[] }
  | { readonly all: readonly Sought[] }
  | { readonly any: readonly Sought[] }
  | { readonly some: Sought; readonly without: Sought };

/** A condition on the rows of the table. */
export const holding = (engine: EngineName, table: string, sought: Sought): RawBuilder<SqlBool> =>
  engine === 'sqlite' ? sql<SqlBool>`${sql.ref(table)} match ${expression(sought)}` : condition(table, sought);

/** The first numbers of rows that hold it. PostgreSQL finds a few no slower where it does not know that a few are enough. */
export async function numbersHolding(
  db: Reads<AnyTables>,
  engine: EngineName,
  { table, sought, most }: { readonly table: string; readonly sought: Sought; readonly most: number },
): Promise<number[]> {
  const found = sql`select rowid from ${sql.table(table)} where ${holding(engine, table, sought)}`;
  const first =
    engine === 'sqlite'
      ? sql<{ rowid: number }>`${found} limit ${most}`
      : sql<{ rowid: number }>`with found as materialized (${found}) select rowid from found limit ${most}`;
  const { rows } = await first.execute(db);
  return rows.map(({ rowid }) => rowid);
}

function expression(sought: Sought): string {
  if ('term' in sought) return phrase(sought.columns, sought.term);
  if ('mark' in sought) return anyOf(sought.among.map((sign) => phrase([sought.mark], sign)));
  if ('words' in sought) return wordsPhrase(sought.words);
  if ('all' in sought) return `(${sought.all.map(expression).join(' AND ')})`;
  if ('any' in sought) return anyOf(sought.any.map(expression));
  return `(${expression(sought.some)} NOT ${expression(sought.without)})`;
}

const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' OR ')})`;

function condition(table: string, sought: Sought): RawBuilder<SqlBool> {
  const each = (parts: readonly Sought[]) => parts.map((part) => condition(table, part));
  if ('term' in sought)
    return joined(
      sought.columns.map((column) => contains(`${table}.${column}`, sought.term)),
      'or',
    );
  if ('mark' in sought) return sql<SqlBool>`${sql.ref(`${table}.${sought.mark}`)} in (${sql.join(sought.among)})`;
  if ('words' in sought) return holdingWords(table, sought.words);
  if ('all' in sought) return joined(each(sought.all), 'and');
  if ('any' in sought) return joined(each(sought.any), 'or');
  return sql<SqlBool>`(${condition(table, sought.some)} and not ${condition(table, sought.without)})`;
}

const joined = (conditions: readonly RawBuilder<SqlBool>[], by: 'and' | 'or'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` ${sql.raw(by)} `)})`;

/**
 * A mark: the same three signs for the same text, hardly ever for two. So short a text is found in one step.
 */
export function markOf(text: string): string {
  let number = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) number = ((number ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  const signs = [number % span, (number / span) % span, (number / span ** 2n) % span];
  return String.fromCodePoint(...signs.map((sign) => first + Number(sign)));
}

/** Letters of one script that nothing folds. */
const first = 0x4e00;
const span = 20_000n;
