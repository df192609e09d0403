// Signing in with the password of an account. Whatever is wrong, the answer is one and takes as long.
import type { Store } from '#store/store.ts';
import type { Events, Origin } from '../events.ts';
import type { Passwords } from './passwords.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import type { Users } from './users.ts';

export interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly from: Origin;
}

export interface SignIn {
  /** The user, or nothing; why not is told to those who listen and not to who asked. */
  attempt(attempt: Attempt): Promise<User | undefined>;
  /** Whether this is their password now; for changing it. */
  isPassword(user: User, password: string): Promise<boolean>;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly events: Events;
  /** How long a refusal takes at least, in milliseconds, so that an old kind of hash does not show. */
  readonly refusalTakes: number;
}

export function createSignIn(_needs: Needs): SignIn {
  throw new Error('not built yet');
}
