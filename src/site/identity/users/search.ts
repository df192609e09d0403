// What users are found by: kept beside them, and looked through.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fold } from '#lib/fold.ts';
import { keysOf } from '#lib/objects.ts';
import type { EngineName } from '#store/engine.ts';
import { index, matching, unindex } from '#store/search.ts';
import { searchedTexts, usersSearch } from './found-by.ts';
import type { UserRow, Writing } from './rows.ts';

const searched = keysOf(usersSearch.columns);

/** Has a user found by what is true of them now. */
export async function indexUser(tx: Writing, row: UserRow, before?: UserRow): Promise<void> {
  if (before !== undefined && searched.every((column) => row[column] === before[column])) return;
  await index(tx, usersSearch, row.id, searchedTexts(row));
}

export const unindexUser = (tx: Writing, id: number): Promise<void> => unindex(tx, usersSearch, id);

type SearchColumn = 'email' | 'name' | 'id' | 'username' | 'slug';

export interface Search {
  readonly searchColumns?: readonly SearchColumn[];
  /** Whether email addresses and logins are searched, which only managers of users see. */
  readonly searchPrivate: boolean;
}

/** Which users a search finds. */
export function found(engine: EngineName, text: string, search: Search): RawBuilder<SqlBool> {
  const columns = columnsFor(text, search).filter((column) => search.searchPrivate || !isPrivate.has(column));
  const texts = columns.filter((column) => column !== 'id').map((column) => stored[column]);
  const inText = matching(engine, usersSearch, texts, fold(text));
  return columns.includes('id') && isNumber(text)
    ? sql<SqlBool>`(${sql.ref('users.id')} = ${Number(text)} or ${inText})`
    : inText;
}

type Looked = SearchColumn | 'url';
const stored = { email: 'email', name: 'name', username: 'login', slug: 'slug', url: 'url' } as const;

const isPrivate: ReadonlySet<Looked> = new Set(['email', 'username']);

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Where nobody says where to look, the term does. */
function columnsFor(text: string, { searchColumns = [], searchPrivate }: Search): readonly Looked[] {
  if (searchColumns.length > 0) return searchColumns;
  if (text.includes('@') && searchPrivate) return ['email'];
  const isId = /^\d+$/.test(text);
  if (isId && searchPrivate) return ['username', 'id'];
  return ['username', 'slug', 'name', 'url', 'email', ...(isId ? (['id'] as const) : [])];
}
