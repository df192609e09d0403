// Users as they are kept and as everybody else sees them. The password's hash is never among what is read here.
import type { Selectable, Transaction } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { IdentityTables, UsersTable } from '../tables.ts';
import type { User } from './user.ts';

type Db = Reads<IdentityTables>;
export type Writing = Transaction<IdentityTables & TotalsTables>;

/** Every column that may be seen. */
export const columns = [
  'id',
  'login',
  'email',
  'slug',
  'name',
  'first_name',
  'last_name',
  'nickname',
  'url',
  'description',
  'locale',
  'registered_at',
] as const satisfies readonly (keyof UsersTable)[];

export type UserRow = Pick<Selectable<UsersTable>, (typeof columns)[number]>;

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const user = db.selectFrom('users').select(columns).where('id', '=', id);
  const [row, roles] = await Promise.all([user.executeTakeFirst(), rolesOf(db, id)]);
  return row && { ...row, roles };
}

/** By login, else by email address. */
export async function findNamed(db: Db, key: string): Promise<User | undefined> {
  // PostgreSQL has no such sign, so it cannot even be asked.
  if (key.includes('\0')) return undefined;
  const rows = await db
    .selectFrom('users')
    .select([...columns, 'login_key'])
    .where((row) => row.or([row('login_key', '=', key), row('email_key', '=', key)]))
    .execute();
  const found = rows.find(({ login_key }) => login_key === key) ?? rows[0];
  // Asked also where there is nobody, so that the time it takes does not tell.
  const roles = await rolesOf(db, found?.id ?? 0);
  if (found === undefined) return undefined;
  const { login_key: _, ...row } = found;
  return { ...row, roles };
}

async function rolesOf(db: Db, id: number): Promise<string[]> {
  const rows = await db.selectFrom('user_roles').select('role').where('user_id', '=', id).orderBy('position').execute();
  return rows.map(({ role }) => role);
}

/** Rows with their roles, in the order of the rows. */
export async function withRoles(db: Db, rows: readonly UserRow[]): Promise<User[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const held = await db
    .selectFrom('user_roles')
    .select(['user_id', 'role'])
    .where('user_id', 'in', ids)
    .orderBy('position')
    .execute();
  const roles = Map.groupBy(held, ({ user_id }) => user_id);
  return rows.map((row) => ({ ...row, roles: (roles.get(row.id) ?? []).map(({ role }) => role) }));
}
