// Application passwords: long, random, one for each program that acts for a user. Found by an index, so that checking one
// costs next to nothing.
import { randomUUID } from 'node:crypto';
import { formatOf } from '#kernel/args/formats.ts';
import { Problem } from '#kernel/problem.ts';
import { isDangling } from '#store/problem.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Keys } from '../keys.ts';
import { remembered } from '../remembered.ts';
import { createUses, type Holder, type Uses } from './application-password-uses.ts';
import { bare, inGroups, isSame, keyedHash, newSecret } from './secret.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import { usersLock } from './user-guards.ts';
import { findUser } from './user-rows.ts';

export interface ApplicationPassword {
  readonly uuid: string;
  /** Of the program, or empty. */
  readonly app_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used: string | null;
  readonly last_ip: string | null;
}

/** Shown once; nobody can read it again. */
export interface NewApplicationPassword extends ApplicationPassword {
  /** In groups of four, with blanks. */
  readonly password: string;
}

export type { Holder } from './application-password-uses.ts';

export interface ApplicationPasswords extends Uses {
  /** Whether the site takes any: where it is reached over HTTPS, on the machine itself, or the operator allows it. */
  readonly available: boolean;
  /** In the order they were made. */
  list(user: User): Promise<ApplicationPassword[]>;
  find(user: User, uuid: string): Promise<ApplicationPassword | undefined>;
  /** Throws `rest_application_password_not_found`. */
  get(user: User, uuid: string): Promise<ApplicationPassword>;
  add(user: User, wanted: { readonly name: string; readonly app_id?: string }): Promise<NewApplicationPassword>;
  rename(user: User, uuid: string, name: string): Promise<ApplicationPassword>;
  revoke(user: User, uuid: string): Promise<ApplicationPassword>;
  /** How many there were. */
  revokeAll(user: User): Promise<number>;
  /** Whose it is, blanks and other signs in it left aside; at once when it was seen lately. */
  holderOf(secret: string): Holder | undefined | Promise<Holder | undefined>;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
  readonly available: boolean;
}

interface Known extends Holder {
  readonly hash: string;
}

const mostKnown = 5_000;
const mostOfOne = 500;
const longestName = 250;

export function createApplicationPasswords({ store, clock, keys, events, available }: Needs): ApplicationPasswords {
  const hashOf = (secret: string): string => keyedHash(keys.application_passwords, secret);
  const knownBy = remembered<Known>(store.changes, {
    tables: ['application_passwords', 'users', 'user_roles'],
    most: mostKnown,
    load: (hash) => load(store, hash),
  });
  const uses = createUses({ store, clock, events });

  const shown = (user: User) =>
    store.db
      .selectFrom('application_passwords as password')
      .leftJoin('application_password_uses as use', 'use.password_id', 'password.id')
      .select(['password.uuid', 'password.app_id', 'password.name', 'password.created_at'])
      .select(['use.used_at as last_used', 'use.address as last_ip'])
      .where('password.user_id', '=', user.id);

  const find = (user: User, uuid: string): Promise<ApplicationPassword | undefined> =>
    shown(user).where('password.uuid', '=', uuid).executeTakeFirst();

  const get = async (user: User, uuid: string): Promise<ApplicationPassword> => {
    const found = await find(user, uuid);
    if (found === undefined) throw notFound();
    return found;
  };

  const revoked = (user: User, names: readonly string[]): void => {
    for (const name of names) events.emit('application_password.revoked', { user, name });
  };

  return {
    available,
    list: (user) => shown(user).orderBy('password.id').limit(mostOfOne).execute(),
    find,
    get,

    async add(user, wanted) {
      const secret = newSecret();
      const row = {
        uuid: randomUUID(),
        app_id: wanted.app_id ?? '',
        name: nameOf(wanted.name),
        created_at: clock().toISOString(),
      };
      await insert(store, { ...row, user_id: user.id, hash: hashOf(secret) });
      events.emit('application_password.created', { user, name: row.name });
      return { ...row, last_used: null, last_ip: null, password: inGroups(secret) };
    },

    async rename(user, uuid, wanted) {
      const name = nameOf(wanted);
      await store.write((tx) =>
        tx
          .updateTable('application_passwords')
          .set({ name })
          .where('user_id', '=', user.id)
          .where('uuid', '=', uuid)
          .execute(),
      );
      return get(user, uuid);
    },

    async revoke(user, uuid) {
      const password = await get(user, uuid);
      const names = await erase(store, user, uuid);
      if (names.length === 0) throw notFound();
      revoked(user, names);
      return password;
    },

    async revokeAll(user) {
      const names = await erase(store, user);
      revoked(user, names);
      return names.length;
    },

    holderOf(secret) {
      const hash = hashOf(bare(secret));
      const fitting = (known: Known | undefined) => (known && isSame(known.hash, hash) ? known : undefined);
      const known = knownBy(hash);
      return known instanceof Promise ? known.then(fitting) : fitting(known);
    },

    ...uses,
  };
}

const notFound = (): Problem =>
  new Problem(404, 'rest_application_password_not_found', 'There is no application password with this id.');

async function load({ db }: Store<IdentityTables>, hash: string): Promise<Known | undefined> {
  const row = await db
    .selectFrom('application_passwords')
    .select(['id', 'uuid', 'user_id'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  const user = row && (await findUser(db, row.user_id));
  return user && { user, id: row.id, uuid: row.uuid, hash };
}

type NewRow = Omit<IdentityTables['application_passwords'], 'id'>;

async function insert(store: Store<IdentityTables>, row: NewRow): Promise<void> {
  try {
    await store.write(async (tx, { lock }) => {
      await lock(usersLock);
      const { total } = await tx
        .selectFrom('application_passwords')
        .select((of) => of.fn.countAll<number>().as('total'))
        .where('user_id', '=', row.user_id)
        .executeTakeFirstOrThrow();
      if (total >= mostOfOne) throw tooMany();
      await tx.insertInto('application_passwords').values(row).execute();
    });
  } catch (error) {
    if (isDangling(error)) throw new Problem(404, 'rest_user_invalid_id', 'There is no user with this id.');
    throw error;
  }
}

const tooMany = (): Problem =>
  new Problem(
    400,
    'rest_too_many_application_passwords',
    `A user has at most ${mostOfOne} application passwords; please revoke some that are not needed any more.`,
  );

/** One of theirs or all, with what was noted of their use. Returns the names. */
function erase(store: Store<IdentityTables>, user: User, uuid?: string): Promise<string[]> {
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    let theirs = tx.selectFrom('application_passwords').select('id').where('user_id', '=', user.id);
    if (uuid !== undefined) theirs = theirs.where('uuid', '=', uuid);
    const ids = (await theirs.execute()).map(({ id }) => id);
    if (ids.length === 0) return [];
    await tx.deleteFrom('application_password_uses').where('password_id', 'in', ids).execute();
    const gone = await tx.deleteFrom('application_passwords').where('id', 'in', ids).returning('name').execute();
    return gone.map(({ name }) => name);
  });
}

const line = formatOf('text-field', false)!.clean!;

/** A name on one line, without tags and control characters. */
function nameOf(wanted: string): string {
  const name = line(wanted.replace(/\p{Cc}/gu, ' '));
  if (name === '') throw new Problem(400, 'application_password_empty_name', 'An application password needs a name.');
  if ([...name].length > longestName) throw tooLong();
  return name;
}

function tooLong(): Problem {
  const message = `name must have at most ${longestName} characters.`;
  return new Problem(400, 'rest_invalid_param', message, {
    params: { name: message },
    details: { name: { code: 'rest_too_long', message, data: null } },
  });
}
