// Finding text by any part of it, quickly, said once for both engines: SQLite keeps an index of its own kind, PostgreSQL a
// table with an index. Both know the text by its runs of three characters. Whoever owns the text folds it first
// (`lib/fold.ts`), and folds what is looked for.
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { contains } from './contains.ts';
import type { EngineName } from './engine.ts';
import type { AnyTables } from './handles.ts';
import type { SchemaChange } from './migrate.ts';

/** What is searched, said once by who owns it. */
export interface Searchable<C extends string> {
  /** The search table. Its rows have the number of the row they help to find. */
  readonly table: string;
  /** The number of the row, `users.id`. */
  readonly id: string;
  /** For each column, the owner's column with the same text, in capitals or not: short terms are looked for there. */
  readonly columns: Readonly<Record<C, string>>;
}

/** A new search table, in a migration. By its marks (`sought.ts`) rows are told apart without a look at their owner's. */
export async function searchTable(
  change: SchemaChange,
  table: string,
  columns: readonly string[],
  marks: readonly string[] = [],
): Promise<void> {
  const { db, engine, column } = change;
  const all = [...columns, ...marks];
  if (engine === 'sqlite') {
    const named = sql.join(all.map((name) => sql.ref(name)));
    await sql`create virtual table ${sql.table(table)} using fts5(${named}, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`.execute(
      db,
    );
    return;
  }
  await sql`create extension if not exists pg_trgm`.execute(db);
  let creating = change.table(table).addColumn('rowid', column.integer, (c) => c.primaryKey());
  for (const name of all) creating = creating.addColumn(name, column.text, (c) => c.notNull());
  await creating.execute();
  const indexed = sql.join(columns.map((name) => sql`${sql.ref(name)} gin_trgm_ops`));
  await sql`create index ${sql.ref(`${table}_parts`)} on ${sql.table(table)} using gin (${indexed})`.execute(db);
}

/** Has a row found by these texts from now on. */
export async function index<C extends string>(
  tx: Transaction<AnyTables>,
  { table }: Searchable<C>,
  id: number,
  texts: Readonly<Record<NoInfer<C>, string>>,
): Promise<void> {
  await tx.deleteFrom(table).where('rowid', '=', id).execute();
  await tx
    .insertInto(table)
    .values({ rowid: id, ...texts })
    .execute();
}

/** The same for many rows that were never found before. */
export async function indexNew<C extends string>(
  tx: Transaction<AnyTables>,
  { table }: Searchable<C>,
  rows: readonly ({ readonly rowid: number } & Readonly<Record<NoInfer<C>, string>>)[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
}

export async function unindex(tx: Transaction<AnyTables>, { table }: Searchable<never>, id: number): Promise<void> {
  await tx.deleteFrom(table).where('rowid', '=', id).execute();
}

/** Nobody looks for a longer text, and SQLite refuses longer patterns. */
const longest = 10_000;
const shortest = 3;

/** Whether a text can be there at all. */
export const isSearchable = (term: string): boolean => term.length <= longest && !term.includes('\0');

/** Whether the index knows such short text: else the owner's columns are looked through. */
export const isIndexed = (term: string): boolean => [...term].length >= shortest;

/** Whether a row holds the folded term in one of these columns. */
export function matching<C extends string>(
  engine: EngineName,
  { table, id, columns: scanned }: Searchable<C>,
  columns: readonly NoInfer<C>[],
  term: string,
): RawBuilder<SqlBool> {
  if (columns.length === 0 || !isSearchable(term)) return sql<SqlBool>`1 = 0`;
  if (!isIndexed(term)) return either(columns.map((name) => contains(sql`lower(${sql.ref(scanned[name])})`, term)));
  const found =
    engine === 'sqlite'
      ? sql`${sql.ref(table)} match ${phrase(columns, term)}`
      : either(columns.map((name) => contains(`${table}.${name}`, term)));
  return sql<SqlBool>`${sql.ref(id)} in (select rowid from ${sql.table(table)} where ${found})`;
}

export const either = (conditions: readonly RawBuilder<SqlBool>[]) =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

/** Signs of the index's own language mean nothing inside quotes. */
export const phrase = (columns: readonly string[], term: string): string =>
  `{${columns.join(' ')}} : "${term.replaceAll('"', '""')}"`;
