// Users: who there is, and what must always be true of them. Who may do what with them stands in `rights.ts`.
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { TotalsTables } from '../totals.ts';
import type { Passwords } from './passwords.ts';
import type { Roles } from './roles.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';

/** What may be said of a user, by themselves or by somebody who may edit them. */
export interface Profile {
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string;
  readonly url: string;
  readonly description: string;
  readonly locale: string;
  readonly slug: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** As typed; only its hash is kept. */
  readonly password: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Without a password nobody can sign in as them until one is set. */
export type NewUser = Partial<Profile> & { readonly login: string };

export type OrderBy = 'id' | 'include' | 'name' | 'registered_date' | 'slug' | 'include_slugs' | 'email' | 'url';
export type SearchColumn = 'email' | 'name' | 'id' | 'username' | 'slug';

export interface Wanted {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: OrderBy;
  readonly search?: string;
  readonly searchColumns?: readonly SearchColumn[];
  /** Whether a search looks at mail addresses where no columns are named. */
  readonly searchEmails: boolean;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  /** Holders of any of these. */
  readonly roles?: readonly string[];
  /** Only those who have published something. */
  readonly published?: boolean;
}

export interface Users {
  find(id: number): Promise<User | undefined>;
  /** Throws `rest_user_invalid_id`. */
  get(id: number): Promise<User>;
  /** By login, else by mail address; capitals do not matter. */
  named(loginOrEmail: string): Promise<User | undefined>;
  list(wanted: Wanted): Promise<{ items: User[]; total: number }>;
  count(): Promise<number>;
  add(user: NewUser): Promise<User>;
  /** The first one, an administrator; nothing when there is somebody already. */
  addFirst(user: NewUser): Promise<User | undefined>;
  /** A new password or mail address ends their sessions, all but the one kept. */
  change(user: User, changes: Partial<Profile>, keep?: { readonly session: number }): Promise<User>;
  /** For good. What was theirs goes to `reassign`, or goes with them. */
  erase(user: User, reassign: number | undefined): Promise<User>;
  /** The registered values by key, those that are set. */
  metaOf(user: User): Promise<Record<string, unknown>>;
}

export interface Needs {
  readonly store: Store<IdentityTables & TotalsTables>;
  readonly clock: Clock;
  readonly roles: Roles;
  readonly passwords: Passwords;
  readonly events: Events;
  /** Given to who is made without a role. */
  readonly defaultRole: string;
}

export function createUsers(_needs: Needs): Users {
  throw new Error('not built yet');
}
