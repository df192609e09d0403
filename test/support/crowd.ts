// Very many users at once: the same rows as one by one, thousands to a write.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import { slugOf } from '#lib/slug.ts';
import { searchedTexts, usersSearch } from '#site/identity/users/found-by.ts';
import { everybody, sameRoles, usersTopic, type Writing } from '#site/identity/users/rows.ts';
import { newWords } from '#site/identity/users/words.ts';
import { count } from '#site/platform/totals.ts';
import type { AnyTables } from '#store/handles.ts';
import { indexNew } from '#store/search.ts';
import type { AnyStore } from '#store/store.ts';

const first = ['Ada', 'Björn', 'Chiara', 'Dmitri', 'Elif', 'Fatou', 'Gwen', 'Hana', 'Ines', 'Jorge', 'Kofi', 'Lene'];
const last = ['Abel', 'Brandt', 'Castro', 'Dubois', 'Eriksen', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jansen', 'Kaya'];

/** Few have this name, however many there are. */
export const rare = 'Quillfeather';
const howRare = 3;

const batch = 1_000;

export async function fill(store: AnyStore, many: number): Promise<void> {
  for (let from = 0; from < many; from += batch) {
    const length = Math.min(batch, many - from);
    await store.write((tx) =>
      add(
        tx as unknown as Writing,
        Array.from({ length }, (_, at) => from + at),
      ),
    );
  }
}

/** In no order, so that none of the indexes is filled from one end. */
function person(at: number) {
  const first_name = first[(at * 7) % first.length]!;
  const last_name = at < howRare ? rare : `${last[(at * 5) % last.length]}-${((at * 7919) % 99_991).toString(36)}`;
  const login = `${fold(last_name)}.${at}`;
  return {
    ...newWords(login, { first_name, last_name, email: `${login}@example.org`, url: `https://example.org/${at}` }),
    slug: slugOf(login),
    password: '',
    password_by: 0,
    registered_at: new Date(Date.UTC(2020, 0, 1) + ((at * 7919) % 99_991) * 1_000_000).toISOString(),
  };
}

function roleOf(at: number): string {
  if (at % 100 === 1) return 'editor';
  return at % 8 === 0 ? 'author' : 'subscriber';
}

async function add(tx: Writing, all: readonly number[]): Promise<void> {
  const people = all.map(person);
  const rows = await tx.insertInto('users').values(people).returning(['id', 'login']).execute();
  const ids = new Map(rows.map(({ id, login }) => [login, id]));
  const roles = people.map(({ login, name_key }, n) => ({
    user_id: ids.get(login)!,
    role: roleOf(all[n]!),
    name_key,
    position: 0,
  }));
  await tx.insertInto('user_roles').values(roles).execute();
  const sets = Object.entries(Object.groupBy(roles, ({ role }) => sameRoles([role])));
  const totals = sets.map(([key, holders]) => [key, holders!.length] as const);
  await count(tx, usersTopic, { [everybody]: all.length, ...Object.fromEntries(totals) });
  const found = people.map((one) => ({ rowid: ids.get(one.login)!, ...searchedTexts(one) }));
  await indexNew(tx as unknown as Transaction<AnyTables>, usersSearch, found);
}
