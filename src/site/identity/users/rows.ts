// Users as they are kept and as everybody else sees them. The password's hash is never among what is read here.
import type { Selectable, Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { Reads } from '#store/handles.ts';
import { count, type TotalsTables, totalsOf } from '../../platform/totals.ts';
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

/** What programs keep about a user, by registered keys. */
export async function metaOf(db: Reads<IdentityTables>, id: number): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('user_meta').select(['key', 'value']).where('user_id', '=', id).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

/** Null takes a value away. */
export async function keepMeta(tx: Writing, id: number, meta: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(meta)) {
    if (value === null) await tx.deleteFrom('user_meta').where('user_id', '=', id).where('key', '=', key).execute();
    else await keep(tx, id, key, JSON.stringify(value));
  }
}

const keep = (tx: Writing, user_id: number, key: string, value: string) =>
  tx
    .insertInto('user_meta')
    .values({ user_id, key, value })
    .onConflict((on) => on.columns(['user_id', 'key']).doUpdateSet({ value }))
    .execute();

// Who holds which role, and how many do.

/** Under which the totals of users are kept: of all, and of those who hold the same roles. */
export const usersTopic = 'users';
export const everybody = 'all';
/** For each set of roles that somebody holds, how many hold it: so that any choice of roles is added up, and nobody counted. */
export const sameRoles = (roles: readonly string[]): string => JSON.stringify([...roles].sort());

export interface Crowd {
  readonly all: number;
  /** Those who hold one role at least of each of the lists that were asked for; all, where none was. */
  readonly holding: number;
}

export async function crowd(db: Reads<TotalsTables>, wanted: readonly (readonly string[])[]): Promise<Crowd> {
  const { [everybody]: all = 0, ...sets } = await totalsOf(db, usersTopic);
  if (wanted.length === 0) return { all, holding: all };
  const holds = (roles: readonly string[]): boolean => wanted.every((one) => roles.some((role) => one.includes(role)));
  const fitting = Object.entries(sets).filter(([key]) => holds(JSON.parse(key) as string[]));
  return { all, holding: fitting.reduce((sum, [, total]) => sum + total, 0) };
}

/** Their roles from now on, in this order; to be kept anew when the name changes. */
export async function keepRoles(
  tx: Writing,
  { id: user_id, name }: Pick<UserRow, 'id' | 'name'>,
  roles: readonly string[],
): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', user_id).execute();
  const rows = roles.map((role, position) => ({ user_id, role, name_key: fold(name), position }));
  if (rows.length > 0) await tx.insertInto('user_roles').values(rows).execute();
}

interface Moved {
  /** How many users more, or fewer. */
  readonly all: number;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

export function countRoles(tx: Writing, { all, gone, come }: Moved): Promise<void> {
  const moved: Record<string, number> = { [everybody]: all };
  if (gone.length > 0) moved[sameRoles(gone)] = -1;
  if (come.length > 0) moved[sameRoles(come)] = (moved[sameRoles(come)] ?? 0) + 1;
  return count(tx, usersTopic, moved);
}
