import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** SQLite refuses longer patterns; no stored text that people search is found by one. */
const longest = 10_000;

/** Whether a column holds this text somewhere, letter for letter, whatever signs the text is made of. */
export function contains(column: string | RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  if (text.length > longest) return sql<SqlBool>`1 = 0`;
  const pattern = `%${text.replace(/[%_!]/g, '!$&')}%`;
  return sql<SqlBool>`${typeof column === 'string' ? sql.ref(column) : column} like ${pattern} escape '!'`;
}
