// Application passwords: long, random, one for each program that acts for a user. Found by an index, so that checking one
// costs next to nothing.
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Keys } from '../keys.ts';
import type { Roles } from './roles.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';

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

/** Who holds a credential that was shown. */
export interface Holder {
  readonly user: User;
  readonly uuid: string;
}

export interface ApplicationPasswords {
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
  /** Written down at most once in a day for each. */
  used(holder: Holder, address: string): Promise<void>;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
  readonly roles: Roles;
  readonly available: boolean;
}

export function createApplicationPasswords(_needs: Needs): ApplicationPasswords {
  throw new Error('not built yet');
}
