// Application passwords: long, random, one for each program that acts for a user. Found by an index, so that checking one
// costs next to nothing.
import { randomInt, randomUUID } from 'node:crypto';
import { formatOf } from '#kernel/args/formats.ts';
import { invalidParam } from '#kernel/errors.ts';
import { withoutSteering } from '#lib/printable.ts';
import type { Store } from '#store/store.ts';
import { cachedByTable } from '../../platform/cache/records.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import { isSame, type Keys, keyedHash } from '../../platform/keys.ts';
import type { Doing } from '../doing.ts';
import { identityErrors } from '../errors.ts';
import type { IdentityTables } from '../tables.ts';
import { nobodys, type User } from '../users/user.ts';
import {
  erasePasswords,
  findHolder,
  insertPassword,
  type Known,
  limitColumns,
  mostOfOne,
  passwordsOf,
  shownPassword,
  updatePassword,
} from './rows.ts';
import { createUses, type Holder, interfaceNames, type PasswordLimits, type Uses } from './uses.ts';

export interface ApplicationPassword extends PasswordLimits {
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

/** Without limits, it may do all that its user may. */
interface NewCredential extends Partial<PasswordLimits> {
  readonly name: string;
  readonly app_id?: string;
  readonly uuid?: string;
}

export interface ApplicationPasswords extends Uses {
  /** Whether the site takes any: where it is reached over HTTPS, on the machine itself, or the operator allows it. */
  readonly available: boolean;
  /** In the order they were made. */
  list(user: User): Promise<ApplicationPassword[]>;
  find(user: User, uuid: string): Promise<ApplicationPassword | undefined>;
  /** Throws `rest_application_password_not_found`. */
  get(user: User, uuid: string): Promise<ApplicationPassword>;
  /** With a uuid that the same user gave before it is refused (`application_password_exists`): a form that is sent twice makes one. */
  add(user: User, wanted: NewCredential, doing?: Doing): Promise<NewApplicationPassword>;
  /** What is not said stays as it is. */
  change(user: User, uuid: string, changes: PasswordChanges, doing?: Doing): Promise<ApplicationPassword>;
  revoke(user: User, uuid: string, doing?: Doing): Promise<ApplicationPassword>;
  /** How many there were. */
  revokeAll(user: User, doing?: Doing): Promise<number>;
  /** Whose it is, blanks and other signs in it left aside; at once when it was seen lately. */
  holderOf(password: string): Holder | undefined | Promise<Holder | undefined>;
  /** Nothing once it is revoked, or the site takes none. */
  holderOfNumber(id: number): Promise<Holder | undefined>;
}

type PasswordChanges = Partial<Pick<ApplicationPassword, 'name'> & PasswordLimits>;

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
  readonly available: boolean;
}

const mostKnown = 5_000;
const longestName = 250;

export function createApplicationPasswords(needs: Needs): ApplicationPasswords {
  const { store, events, available } = needs;
  const find = async (user: User, uuid: string): Promise<ApplicationPassword | undefined> => {
    const row = await passwordsOf(store.db, user).where('password.uuid', '=', uuid).executeTakeFirst();
    return row && shownPassword(row);
  };
  const get = async (user: User, uuid: string): Promise<ApplicationPassword> => {
    const found = await find(user, uuid);
    if (found === undefined) throw identityErrors.applicationPasswordNotFound(uuid);
    return found;
  };
  const erase = async (user: User, doing: Doing, uuid?: string): Promise<number> => {
    const names = await erasePasswords(store, user, doing, uuid);
    for (const name of names) events.emit('application_password.revoked', { user, name });
    return names.length;
  };
  return {
    available,
    list: async (user) =>
      (await passwordsOf(store.db, user).orderBy('password.id').limit(mostOfOne).execute()).map(shownPassword),
    find,
    get,
    async change(user, uuid, { name, ...limits }, doing = {}) {
      const values = { ...(name !== undefined && { name: nameOf(name) }), ...limitColumns(limits) };
      if (Object.keys(values).length > 0) await updatePassword(store, user, uuid, values, doing);
      return get(user, uuid);
    },
    async revoke(user, uuid, doing = {}) {
      const password = await get(user, uuid);
      if ((await erase(user, doing, uuid)) === 0) throw identityErrors.applicationPasswordNotFound(uuid);
      return password;
    },
    revokeAll: (user, doing = {}) => erase(user, doing),
    holderOfNumber: async (id) => (available ? findHolder(store.db, id) : undefined),
    ...given(needs),
    ...createUses(needs),
  };
}

/** Giving them out, and knowing them again. */
function given({ store, clock, keys, events }: Needs): Pick<ApplicationPasswords, 'add' | 'holderOf'> {
  const hashOf = (password: string): string => keyedHash(keys.application_passwords, password);
  const knownBy = cachedByTable<Known>(store, {
    tables: ['application_passwords', 'users', 'user_roles'],
    most: mostKnown,
    load: (hash) => findHolder(store.db, hash),
  });
  return {
    async add(user, { name, app_id = '', uuid: wanted = randomUUID(), ...limits }, doing = {}) {
      if (!isUuid(wanted)) throw invalidParam('uuid', { code: 'rest_invalid_uuid', message: 'uuid must be a UUID.' });
      const password = makePassword();
      const row = { app_id, name: nameOf(name), created_at: clock().toISOString() };
      const { by = nobodys } = doing;
      const kept = {
        ...row,
        ...limitColumns(limits),
        uuid: wanted,
        user_id: user.id,
        hash: hashOf(password),
        made_by: by,
      };
      const uuid = await insertPassword(store, kept, doing);
      events.emit('application_password.created', { user, name: row.name, by });
      const { rest_api_permissions = 'write', enabled_for = interfaceNames } = limits;
      const shown = { ...row, rest_api_permissions, enabled_for, last_used: null, last_ip: null };
      return { ...shown, uuid, password: inGroups(password) };
    },
    holderOf(password) {
      const hash = hashOf(bare(password));
      const fitting = (known: Known | undefined) => (known && isSame(known.hash, hash) ? known : undefined);
      const known = knownBy(hash);
      return known instanceof Promise ? known.then(fitting) : fitting(known);
    },
  };
}

export const isUuid = (text: string): boolean => formatOf('uuid', true)!.accepts!(text);

const line = formatOf('text-field', false)!.clean!;

/** A name on one line, without tags and control characters. */
function nameOf(wanted: string): string {
  const name = withoutSteering(line(wanted.replace(/\p{Cc}/gu, ' '))).trim();
  if (name === '') throw identityErrors.applicationPasswordEmptyName();
  if ([...name].length <= longestName) return name;
  throw invalidParam('name', { code: 'rest_too_long', message: `name must have at most ${longestName} characters.` });
}

/** The signs an application password is made of, and how they are written, read and known again. */
const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** 24 letters and digits, each as likely as any other. */
export const makePassword = (): string => Array.from({ length }, () => signs[randomInt(signs.length)]).join('');

/** As people read and copy it. */
export const inGroups = (password: string): string => password.replace(/.{4}(?=.)/g, '$& ');

/** Without the blanks it is shown with, and whatever else came with it. */
export const bare = (password: string): string => password.replace(/[^A-Za-z0-9]+/g, '');

/** Whether a text has the form of one, so that it is better not written down. */
export const looksMade = (text: string): boolean => bare(text).length === length && /^[A-Za-z0-9\s]*$/.test(text);
