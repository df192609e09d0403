// Application passwords as they are kept: the hash of each, whose it is, and apart from it when it was last used.
import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Doing } from '../doing.ts';
import { identityErrors } from '../errors.ts';
import type { ApplicationPasswordsTable, IdentityTables } from '../tables.ts';
import { usersLock } from '../users/guards.ts';
import { findUser } from '../users/rows.ts';
import type { User } from '../users/user.ts';
import { type Holder, interfaceNames, type PasswordLimits } from './uses.ts';

type Db = Reads<IdentityTables>;

export interface Known extends Holder {
  readonly hash: string;
}

/** How many one user may have. */
export const mostOfOne = 500;

type LimitColumns = Pick<ApplicationPasswordsTable, 'permissions' | 'enabled_for'>;

const limitsOf = ({ permissions, enabled_for }: LimitColumns): PasswordLimits => ({
  rest_api_permissions: permissions === 'read' ? 'read' : 'write',
  enabled_for: enabled_for === null ? interfaceNames : JSON.parse(enabled_for),
});

export const limitColumns = ({
  rest_api_permissions: permissions,
  enabled_for: names,
}: Partial<PasswordLimits>): Partial<LimitColumns> => ({
  ...(permissions !== undefined && { permissions: permissions === 'read' ? 'read' : null }),
  ...(names !== undefined && { enabled_for: JSON.stringify(interfaceNames.filter((name) => names.includes(name))) }),
});

/** As people see it. */
export const shownPassword = <Row extends LimitColumns>({ permissions, enabled_for, ...row }: Row) => ({
  ...row,
  ...limitsOf({ permissions, enabled_for }),
});

/** Those of a user. */
export const passwordsOf = (db: Db, user: User) =>
  db
    .selectFrom('application_passwords as password')
    .leftJoin('application_password_uses as use', 'use.password_id', 'password.id')
    .select(['password.uuid', 'password.app_id', 'password.name', 'password.created_at'])
    .select(['password.permissions', 'password.enabled_for'])
    .select(['use.used_at as last_used', 'use.address as last_ip'])
    .where('password.user_id', '=', user.id);

/** By the hash of the secret, or by the number. */
export async function findHolder(db: Db, by: string | number): Promise<Known | undefined> {
  const row = await db
    .selectFrom('application_passwords')
    .select(['id', 'uuid', 'hash', 'user_id', 'made_by', 'permissions', 'enabled_for'])
    .where(typeof by === 'string' ? 'hash' : 'id', '=', by)
    .executeTakeFirst();
  const user = row && (await findUser(db, row.user_id));
  if (user === undefined) return undefined;
  const { id, uuid, hash, made_by: madeBy } = row!;
  return { user, id, uuid, madeBy, hash, limits: limitsOf(row!) };
}

/** Returns its uuid: the wanted one, unless it is somebody else's, which nobody is told. */
export async function insertPassword(
  store: Store<IdentityTables>,
  row: Insertable<ApplicationPasswordsTable>,
  { again }: Doing,
): Promise<string> {
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    const owner = await findUser(tx, row.user_id);
    if (owner === undefined) throw identityErrors.userInvalidId(row.user_id);
    await again?.(tx, owner);
    const holder = await tx
      .selectFrom('application_passwords')
      .select('user_id')
      .where('uuid', '=', row.uuid)
      .executeTakeFirst();
    if (holder?.user_id === row.user_id) throw identityErrors.applicationPasswordExists();
    const { total } = await tx
      .selectFrom('application_passwords')
      .select((of) => of.fn.countAll<number>().as('total'))
      .where('user_id', '=', row.user_id)
      .executeTakeFirstOrThrow();
    if (total >= mostOfOne) throw identityErrors.tooManyApplicationPasswords(mostOfOne);
    const uuid = holder === undefined ? row.uuid : randomUUID();
    await tx
      .insertInto('application_passwords')
      .values({ ...row, uuid })
      .execute();
    return uuid;
  });
}

export const updatePassword = (
  store: Store<IdentityTables>,
  user: User,
  uuid: string,
  values: Partial<Pick<ApplicationPasswordsTable, 'name'> & LimitColumns>,
  { again }: Doing,
): Promise<void> =>
  store.write(async (tx, { lock }) => {
    await lock(usersLock);
    await again?.(tx, await findUser(tx, user.id));
    const theirs = tx.updateTable('application_passwords').set(values).where('user_id', '=', user.id);
    await theirs.where('uuid', '=', uuid).execute();
  });

/** One of theirs or all, with what was noted of their use. Returns the names. */
export function erasePasswords(
  store: Store<IdentityTables>,
  user: User,
  { again }: Doing,
  uuid?: string,
): Promise<string[]> {
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    await again?.(tx, await findUser(tx, user.id));
    let theirs = tx.selectFrom('application_passwords').select('id').where('user_id', '=', user.id);
    if (uuid !== undefined) theirs = theirs.where('uuid', '=', uuid);
    const ids = (await theirs.execute()).map(({ id }) => id);
    if (ids.length === 0) return [];
    await tx.deleteFrom('application_password_uses').where('password_id', 'in', ids).execute();
    const gone = await tx.deleteFrom('application_passwords').where('id', 'in', ids).returning('name').execute();
    return gone.map(({ name }) => name);
  });
}
