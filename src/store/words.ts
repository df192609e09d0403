// An index of whole words beside that of parts of three characters (`search.ts`): what is found is counted in a fraction of the time,
// and a word that is rare costs nothing for the common parts in it. Every word there ever was has a number, and is itself found by its
// parts; rows are found by the numbers of their words. So a part of a word is found exactly, wherever it stands in the word.
// A text with very many words would have very many kept, all in one write: such a row has one number that is its own, which stands for
// whatever the index of parts finds in it.
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { contains } from './contains.ts';
import type { EngineName } from './engine.ts';
import type { AnyTables, Reads } from './handles.ts';
import type { SchemaChange } from './migrate.ts';
import { either, isIndexed, phrase, searchTable } from './search.ts';

/** The tables that a words table comes with: the words there are, and what they are found by. */
export const wordTables = (table: string) => ({ known: `${table}_known`, parts: `${table}_parts` });

/** A new words table, in a migration. By its marks (`sought.ts`) rows are told apart. */
export async function wordsTable(change: SchemaChange, table: string, marks: readonly string[]): Promise<void> {
  const { db, engine, column } = change;
  const { known, parts } = wordTables(table);
  await change
    .table(known)
    .addColumn('id', column.id)
    .addColumn('word', column.text, (c) => c.notNull().unique())
    .execute();
  await searchTable(change, parts, ['word']);
  if (engine === 'sqlite') {
    await sql`create virtual table ${sql.table(table)} using fts5(${sql.join([...marks, 'words'].map((name) => sql.ref(name)))}, content='', contentless_delete=1, detail=column, tokenize='ascii')`.execute(
      db,
    );
    return;
  }
  let creating = change.table(table).addColumn('rowid', column.integer, (c) => c.primaryKey());
  for (const mark of marks) creating = creating.addColumn(mark, column.text, (c) => c.notNull());
  await creating
    .addColumn('words', sql`integer[]`, (c) => c.notNull())
    .addColumn('blanks', column.text, (c) => c.notNull().defaultTo(sql`repeat(' ', 2000)`))
    .execute();
  // Whoever counts rows reads them all, so they are kept small: the words stand elsewhere. The server moves nothing out of a row
  // below 2,000 signs; the blanks, of which next to nothing is kept, make it one.
  await sql`alter table ${sql.table(table)} alter words set storage external, alter blanks set storage main, set (toast_tuple_target = 128)`.execute(
    db,
  );
  await sql`create index ${sql.ref(`${table}_numbers`)} on ${sql.table(table)} using gin (words)`.execute(db);
}

/** A row to be found by the words of its texts, and told from others by its mark. */
interface Worded {
  readonly rowid: number;
  readonly mark: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
}

/** Has rows found that never were before. */
export async function indexNewWords(tx: Transaction<AnyTables>, table: string, rows: readonly Worded[]): Promise<void> {
  const numbered = await numberWords(
    tx,
    table,
    rows.map(({ texts }) => texts),
  );
  await indexNumbered(
    tx,
    table,
    rows.map(({ rowid, mark }, at) => ({ rowid, mark, numbers: numbered[at] })),
  );
}

/** The numbers of the words of some texts; nothing for those with very many. */
export type Numbered = readonly number[] | undefined;

/** Gives every word of the texts of many rows its number, before the rows themselves are there. */
export async function numberWords(
  tx: Transaction<AnyTables>,
  table: string,
  rows: readonly (readonly string[])[],
): Promise<Numbered[]> {
  const worded = rows.map(wordsOf);
  const numbers = await numbersOf(tx, table, new Set(worded.flatMap((words = []) => words)));
  return worded.map((words) => words?.map((word) => numbers.get(word)!));
}

/** Has rows found by words that have their numbers already. */
export async function indexNumbered(
  tx: Transaction<AnyTables>,
  table: string,
  rows: readonly (Pick<Worded, 'rowid' | 'mark'> & { readonly numbers: Numbered })[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto(table)
    .values(
      rows.map(({ rowid, mark, numbers }) => ({
        rowid,
        ...mark,
        words: `{${(numbers ?? [long, ownNumber(rowid)]).join(',')}}`, // a list for one engine, a text of tokens for the other
      })),
    )
    .execute();
}

/** The number that all rows with very many words have. */
const long = 0;
const highest = 2 ** 31 - 1;
/** Far above those of words. */
const ownNumber = (rowid: number): number => highest - rowid;

const run = /[\p{L}\p{N}]+/gu;
const isRun = /^[\p{L}\p{N}]+$/u;

/** Longer ones are kept in pieces; of what is no longer than half of one, some piece holds the whole. */
const longest = 50;

/** More different words, or more signs, than a book's chapter has. */
const mostWords = 2000;
const mostSigns = 200_000;

/** All there are, in order: two writes that add the same ones never wait for each other in a ring. Nothing when they are very many. */
function wordsOf(texts: readonly string[]): string[] | undefined {
  if (texts.reduce((length, text) => length + text.length, 0) > mostSigns) return undefined;
  const words = new Set<string>();
  for (const text of texts)
    for (const [word] of text.matchAll(run)) {
      if (word.length <= longest) words.add(word);
      else for (const piece of piecesOf([...word])) words.add(piece);
      if (words.size > mostWords) return undefined;
    }
  return [...words].sort();
}

function piecesOf(signs: readonly string[]): string[] {
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from + longest / 2 < signs.length; from += longest / 2)
    pieces.push(signs.slice(from, from + longest).join(''));
  return pieces;
}

/** So many in one statement, the last one filled up: so there are few different statements. */
const atOnce = 100;

async function numbersOf(
  tx: Transaction<AnyTables>,
  table: string,
  words: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  const all = [...words];
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    await knownOf(tx, table, some, numbers);
    const unknown = some.filter((word) => !numbers.has(word));
    if (unknown.length === 0) continue;
    await addWords(tx, table, unknown, numbers);
    if (unknown.some((word) => !numbers.has(word))) await knownOf(tx, table, unknown, numbers); // somebody else added them just now
  }
  return numbers;
}

async function knownOf(
  tx: Transaction<AnyTables>,
  table: string,
  words: readonly string[],
  numbers: Map<string, number>,
): Promise<void> {
  const asked = [...words, ...new Array<string>(atOnce - words.length).fill(words[0]!)];
  const rows = await tx.selectFrom(wordTables(table).known).select(['id', 'word']).where('word', 'in', asked).execute();
  for (const { id, word } of rows) numbers.set(word, id);
}

async function addWords(
  tx: Transaction<AnyTables>,
  table: string,
  words: readonly string[],
  numbers: Map<string, number>,
): Promise<void> {
  const { known, parts } = wordTables(table);
  const added = await tx
    .insertInto(known)
    .values(words.map((word) => ({ word })))
    .onConflict((on) => on.column('word').doNothing())
    .returning(['id', 'word'])
    .execute();
  for (const { id, word } of added) numbers.set(word, id);
  if (added.length === 0) return;
  await tx
    .insertInto(parts)
    .values(added.map(({ id, word }) => ({ rowid: id, word })))
    .execute();
}

/** Whether words alone tell where this folded term is. */
export const isInWords = (term: string): boolean => isIndexed(term) && term.length <= longest / 2 && isRun.test(term);

/** What more words hold is hardly a word, and is sooner found by its parts. */
const most = 100;

/** A words table, and the search table of the same rows, with the same texts. */
interface Words {
  readonly table: string;
  readonly search: string;
  readonly columns: readonly string[];
}

/** The numbers of the words that hold it; nothing where they are very many. */
export async function wordsHolding(
  db: Reads<AnyTables>,
  engine: EngineName,
  { table, search, columns }: Words,
  term: string,
): Promise<readonly number[] | undefined> {
  const { parts } = wordTables(table);
  const holds = (name: string, among: readonly string[]) =>
    engine === 'sqlite'
      ? sql<SqlBool>`${sql.ref(name)} match ${phrase(among, term)}`
      : either(among.map((column) => contains(`${name}.${column}`, term)));
  const isLong =
    engine === 'sqlite' ? sql`${sql.ref(table)} match ${wordsPhrase([long])}` : holdingWords(table, [long]);
  const { rows } = await sql<{ number: number }>`
    select rowid as number from ${sql.table(parts)} where ${holds(parts, ['word'])}
    union all select ${sql.lit(highest)} - rowid from ${sql.table(search)}
    where rowid in (select rowid from ${sql.table(table)} where ${isLong}) and ${holds(search, columns)}
    limit ${most + 1}`.execute(db);
  return rows.length > most ? undefined : rows.map(({ number }) => number);
}

/** A condition on the rows of a words table of PostgreSQL. */
export const holdingWords = (table: string, numbers: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.words`)} && ${`{${numbers.join(',')}}`}::integer[]`;

/** The same as SQLite asks its index. */
export const wordsPhrase = (numbers: readonly number[]): string =>
  `{words} : (${numbers.map((id) => `"${id}"`).join(' OR ')})`;
