// Users: who there is, and what must always be true of them. Who may do what with them stands in `rights.ts`.

import type { Transaction } from 'kysely';
import { invalidParam } from '#kernel/errors.ts';
import type { AnyTables } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import { type TotalsTables, totalOf } from '../../platform/totals.ts';
import type { Checks } from '../checks.ts';
import type { Doing } from '../doing.ts';
import { identityErrors } from '../errors.ts';
import { type Passwords, partyOf } from '../passwords/passwords.ts';
import type { PasswordRule } from '../passwords/rule.ts';
import { administrator, type Roles } from '../roles.ts';
import type { IdentityTables } from '../tables.ts';
import { insertMany, insertUser } from './add.ts';
import { type Changed, changeUser } from './change.ts';
import { demandSound, loginFault, passwordReason, type Spoken } from './faults.ts';
import { isLastAdministrator, refuseTaken, userLock, usersLock } from './guards.ts';
import { listUsers, type Wanted } from './list.ts';
import { endMade, type Kept, type Revoked } from './opened.ts';
import { columns, countRoles, everybody, findNamed, findUser, metaOf, usersTopic, type Writing } from './rows.ts';
import { indexUser, unindexUser } from './search.ts';
import { type NewUser, nobodys, type OneOfMany, type Profile, type User } from './user.ts';
import { keyOf } from './words.ts';

export interface Users {
  find(id: number): Promise<User | undefined>;
  /** Throws `rest_user_invalid_id`. */
  get(id: number): Promise<User>;
  /** By login, else by email address; capitals do not matter. */
  named(loginOrEmail: string): Promise<User | undefined>;
  list(wanted: Wanted): Promise<{ items: User[]; total: number }>;
  count(): Promise<number>;
  add(user: NewUser, doing?: Doing): Promise<User>;
  /** All of them or none, in one write. */
  addMany(users: readonly OneOfMany[], doing?: Doing): Promise<User[]>;
  /** The first one, an administrator; nothing when there is somebody already. */
  addFirst(user: NewUser): Promise<User | undefined>;
  /** A new password or email address ends their sessions, all but the one kept. */
  change(user: User, changes: Partial<Profile>, changing?: Changing): Promise<User>;
  /** For good. What was theirs goes to `reassign`, or goes with them. */
  erase(user: User, reassign: number | undefined, doing?: Doing): Promise<User>;
  /** Columns of other tables that hold ids of users, by table: a user who gets another id keeps these rows. Said once, as below. */
  holdIds(columns: UserColumns): void;
  /** All columns that were named so. */
  readonly idColumns: UserColumns;
  /** What else belongs to users, and what becomes of it when one is deleted. Said once, when the site is put together. */
  parting(parting: Parting): void;
  /** The registered values by key, those that are set. */
  metaOf(user: User): Promise<Record<string, unknown>>;
}

export type UserColumns = Readonly<Record<string, readonly string[]>>;

export interface Changing extends Doing {
  readonly keep?: Kept | undefined;
  /** For whom a password is hashed, where that is not who answers for it. */
  readonly who?: string;
}

interface Needs {
  readonly store: Store<IdentityTables & TotalsTables>;
  readonly clock: Clock;
  readonly roles: Roles;
  readonly passwords: Passwords;
  readonly passwordRule: PasswordRule;
  readonly checks: Checks;
  readonly events: Events;
  /** Given to who is made without a role. */
  readonly defaultRole: string;
  /** Its language is one that a user may read the site in, besides the first language of all. */
  readonly about: Spoken;
}

const there = (user: User | undefined, id: number): User => {
  if (user === undefined) throw identityErrors.userInvalidId(id);
  return user;
};

export function createUsers(needs: Needs): Users {
  const { store, roles, events } = needs;
  const { db } = store;
  const partings: Parting[] = [];
  const held: UserColumns[] = [];
  return {
    ...writing(needs),
    find: (id) => findUser(db, id),
    get: async (id) => there(await findUser(db, id), id),
    named: (text) => findNamed(db, keyOf(text)),
    list: (wanted) => listUsers({ db, engine: store.engine, roles }, wanted),
    count: () => totalOf(db, usersTopic, everybody),
    metaOf: ({ id }) => metaOf(db, id),
    holdIds: (columns) => void held.push(columns),
    get idColumns() {
      return Object.assign({}, ...held);
    },
    parting: (parting) => void partings.push(parting),
    async erase({ id }, reassign, { again } = {}) {
      const { user, revoked, rest } = await store.write(async (tx, during) => {
        await during.lock(usersLock);
        await during.lock(userLock(id));
        const found = there(await findUser(tx, id), id);
        await again?.(tx, found);
        await refuseReassign(tx, found, reassign);
        const rest: (() => Promise<unknown>)[] = [];
        for (const part of partings) rest.push((await part(tx, during, { id, heir: reassign })) ?? nothing);
        return { user: found, revoked: await eraseUser(tx, found), rest };
      });
      events.emit('user.deleted', { user, reassign });
      for (const one of revoked) events.emit('application_password.revoked', one);
      for (const finish of rest) await finish();
      return user;
    },
  };
}

const nothing = async (): Promise<void> => {};

/** Passwords are hashed ahead, so that a write is short; what happened is told once it is kept. */
function writing(needs: Needs): Pick<Users, 'add' | 'addMany' | 'addFirst' | 'change'> {
  const { store, passwords, roles, checks, events } = needs;
  const hashed = async (password: string | undefined, who: string) => password && (await passwords.hash(password, who));
  /** By the roles they begin with. */
  const demandNew = ({ roles: said = [needs.defaultRole], ...wanted }: NewUser) =>
    demandSound({ ...wanted, roles: said }, needs);
  return {
    async add(wanted, { by = nobodys, again } = {}) {
      await demandNew(wanted);
      const password = (await hashed(wanted.password, partyOf({ id: by }))) ?? '';
      const user = await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        await again?.(tx, undefined);
        return insertUser(tx, wanted, { password, password_by: by }, needs);
      });
      events.emit('user.created', { user });
      return user;
    },
    async addMany(all, { by = nobodys, again } = {}) {
      for (const { login, as, password } of all) {
        const one = as(login);
        await demandNew(one);
        const fault = await needs.passwordRule.fault(password, one.roles ?? [needs.defaultRole]);
        if (fault !== undefined) throw invalidParam('password', passwordReason(fault));
      }
      const hashes = await Promise.all(all.map(({ password }) => passwords.hash(password, partyOf({ id: by }))));
      const made = await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        await again?.(tx, undefined);
        const kept = hashes.map((password) => ({ password, password_by: by }));
        return insertMany(tx, all, kept, needs);
      });
      for (const user of made) events.emit('user.created', { user });
      return made;
    },
    async addFirst(wanted) {
      await demandNew({ ...wanted, roles: [administrator] });
      const password = (await hashed(wanted.password, partyOf({ id: nobodys }))) ?? '';
      const user = await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        const somebody = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst();
        return somebody
          ? undefined
          : insertUser(tx, { ...wanted, roles: [administrator] }, { password, password_by: nobodys }, needs);
      });
      if (user !== undefined) events.emit('user.created', { user });
      return user;
    },
    async change({ id, roles: held }, profile, { by = nobodys, again, keep, who = partyOf({ id: by }) } = {}) {
      await demandSound(profile, needs, { id, roles: held });
      const password = await hashed(profile.password, who);
      const changed = await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        const found = there(await findUser(tx, id), id);
        await again?.(tx, found);
        const hash = password === undefined ? undefined : { password, password_by: by };
        return changeUser(tx, found, { profile, hash, keep, hidesLogin: checks.hidesLogins() }, roles);
      });
      tell(changed, password !== undefined, events);
      return changed.after;
    },
  };
}

function tell(
  { before, after, sessions, revoked, isWithdrawn }: Changed,
  isNewPassword: boolean,
  events: Events,
): void {
  events.emit('user.changed', { user: after, before });
  if (isNewPassword) events.emit('password.changed', { user: after });
  if (sessions > 0) events.emit('session.ended', { user: after, sessions });
  if (isWithdrawn) events.emit('password.withdrawn', { user: after });
  for (const one of revoked) events.emit('application_password.revoked', one);
}

/**
 * Done in the write that deletes the user: what was theirs goes to `heir`, or goes. What takes longer than a write may is done by
 * what it answers, once the user is gone for good; it must be certain by then that it is done whatever happens.
 */
export type Parting = (
  tx: Transaction<AnyTables>,
  during: During,
  leaving: { readonly id: number; readonly heir: number | undefined },
) => Promise<(() => Promise<unknown>) | undefined>;

// Deleting a user for good, with everything that is theirs alone.

/** Who takes over what was theirs is there, and somebody else. */
async function refuseReassign(tx: Writing, { id }: User, reassign: number | undefined): Promise<void> {
  if (reassign === undefined) return;
  const query = tx.selectFrom('users').select('id').where('id', '=', reassign).where('id', '<>', id);
  if ((await query.executeTakeFirst()) === undefined) throw identityErrors.userInvalidReassign();
}

/** Returns what ended with them elsewhere. */
async function eraseUser(tx: Writing, user: User): Promise<Revoked[]> {
  const { id, roles } = user;
  if (await isLastAdministrator(tx, user)) throw identityErrors.cannotDeleteLastAdministrator();
  const revoked = await endMade(tx, user);
  const passwords = tx.selectFrom('application_passwords').select('id').where('user_id', '=', id);
  await tx.deleteFrom('application_password_uses').where('password_id', 'in', passwords).execute();
  for (const theirs of ['application_passwords', 'sessions', 'one_time_tokens', 'user_meta', 'user_roles'] as const)
    await tx.deleteFrom(theirs).where('user_id', '=', id).execute();
  await unindexUser(tx, id);
  await tx.deleteFrom('users').where('id', '=', id).execute();
  await countRoles(tx, { all: -1, gone: roles, come: [] });
  return revoked;
}

// Another name to sign in with, where one must go that everybody tries.

/** Sessions and passwords stay; the name in addresses does too. Throws what is wrong with the name. */
export async function renameUser(
  store: Store<IdentityTables & TotalsTables>,
  id: number,
  login: string,
  { again }: Doing = {},
): Promise<{ before: User; after: User }> {
  const fault = loginFault(login);
  if (fault !== undefined) throw identityErrors.userInvalidUsername(fault.message);
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    const before = await findUser(tx, id);
    if (before === undefined) throw identityErrors.userInvalidId(id);
    await again?.(tx, before);
    await refuseTaken(tx, { login, id });
    const row = await tx
      .updateTable('users')
      .set({ login, login_key: keyOf(login) })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow();
    await indexUser(tx, row, before);
    return { before, after: { ...row, roles: before.roles } };
  });
}
