// A forgotten password: a link by mail that works once, for a day. Nobody learns whether there is such a user.
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events, Origin } from '../events.ts';
import type { Keys } from '../keys.ts';
import type { Mail } from '../mail.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import type { Users } from './users.ts';

export interface Resets {
  /** Sends the link when there is such a user with an address, at most five in an hour. Says nothing either way. */
  request(loginOrEmail: string, from: Origin): Promise<void>;
  /** Whose link this is; nothing when it is unknown, old or used. */
  holderOf(login: string, key: string): Promise<User | undefined>;
  /** Sets the password, uses the link up and ends every session; nothing when the link opens nothing. */
  complete(login: string, key: string, password: string): Promise<User | undefined>;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly users: Users;
  readonly events: Events;
  readonly mail: Mail;
  /** The public base address, and what the site is called. */
  readonly site: { readonly url: string; readonly title: string };
  readonly refusalTakes: number;
}

export function createResets(_needs: Needs): Resets {
  throw new Error('not built yet');
}
