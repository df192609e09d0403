// Lockouts as they are looked up: those that keep somebody out now, the newest first.
import { type SqlBool, sql } from 'kysely';
import { found } from '#site/identity/users/search.ts';
import { instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Store } from '#store/store.ts';
import type { Lockout } from './lockout.ts';
import type { Db } from './rows.ts';
import type { LockoutTables } from './tables.ts';

export interface Wanted {
  readonly limit: number;
  readonly offset: number;
  /** Part of an address, of a name nobody has, or of what a user is called. */
  readonly search?: string | undefined;
  /** Whether the search looks at logins and email addresses of accounts. */
  readonly searchPrivate?: boolean;
}

export const findLockout = async (db: Db, id: number): Promise<Lockout | undefined> =>
  Number.isSafeInteger(id)
    ? db.selectFrom('secsuite_lockouts').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;

export async function listLockouts(
  { db, engine }: Store<LockoutTables>,
  { limit, offset, search = '', searchPrivate = false }: Wanted,
  now: Date,
): Promise<{ items: Lockout[]; total: number }> {
  let active = db.selectFrom('secsuite_lockouts').where('active', '=', 1).where('expire', '>', instant(now));
  const sought = search.trim().slice(0, longest);
  if (sought !== '') active = active.where(matching(engine, sought, searchPrivate));
  const [items, { total }] = await Promise.all([
    active.selectAll().orderBy('start', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    active.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items, total: Number(total) };
}

const longest = 200;
const searchColumns = ['username', 'email', 'slug', 'name'] as const;

function matching(engine: Store<LockoutTables>['engine'], text: string, searchPrivate: boolean) {
  const low = text.toLowerCase();
  const users = found(engine, text, { searchColumns, searchPrivate });
  return sql<SqlBool>`(${contains('host', low)} or ${contains('username', low)}
    or user_id in (select id from users where ${users}))`;
}

/** How many addresses and how many accounts were locked since then; those that met somebody who is always let in do not count. */
export async function countedSince(db: Db, since: Date): Promise<{ hosts: number; users: number }> {
  const { hosts, every } = await db
    .selectFrom('secsuite_lockouts')
    .select((all) => [all.fn.count<number>('host').as('hosts'), all.fn.countAll<number>().as('every')])
    .where('start', '>', instant(since))
    .whereRef('expire', '>=', 'start')
    .executeTakeFirstOrThrow();
  return { hosts: Number(hosts), users: Number(every) - Number(hosts) };
}
