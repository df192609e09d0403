// What users are found by, and all of them made findable at once.

import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import { keysOf } from '#lib/objects.ts';
import type { AnyTables } from '#store/handles.ts';
import { indexNew, type Searchable } from '#store/search.ts';

/** A short term is looked for in what is compared and sorted. */
export const usersSearch = {
  table: 'users_search',
  id: 'users.id',
  columns: {
    login: 'users.login_key',
    slug: 'users.slug',
    name: 'users.name_key',
    url: 'users.url',
    email: 'users.email_key',
  },
} as const satisfies Searchable<string>;

type Column = keyof typeof usersSearch.columns;
type Texts = Readonly<Record<Column, string>>;

/** As they are kept for the search. */
export const searchedTexts = ({ login, slug, name, url, email }: Texts): Texts => ({
  login: fold(login),
  slug: fold(slug),
  name: fold(name),
  url: fold(url),
  email: fold(email),
});

const atOnce = 200;

/** Fills a search table that has nothing in it. */
export async function indexAllUsers(tx: Transaction<AnyTables>): Promise<void> {
  const columns = ['id', ...keysOf(usersSearch.columns)];
  for (let last = 0; ; ) {
    const users = tx.selectFrom('users').select(columns).where('id', '>', last).orderBy('id').limit(atOnce);
    const rows = (await users.execute()) as ({ id: number } & Texts)[];
    const found = rows.map((row) => ({ rowid: row.id, ...searchedTexts(row) }));
    await indexNew(tx, usersSearch, found);
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}
