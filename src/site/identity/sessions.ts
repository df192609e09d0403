// Sessions: kept here, so that ending one ends it. The browser holds a random cookie, the store its keyed hash.
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Keys } from '../keys.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';

export interface Session {
  readonly id: number;
  readonly user: User;
  /** When the person signed in; some deeds ask for a fresh sign-in. */
  readonly created_at: string;
  readonly expires_at: string;
}

export interface Client {
  readonly address: string;
  readonly agent: string;
}

export interface Sessions {
  /** The value of the cookie, and the session it opens. */
  start(user: User, remember: boolean, client: Client): Promise<{ readonly cookie: string; readonly session: Session }>;
  /** At once when it was seen lately. */
  find(cookie: string): Session | undefined | Promise<Session | undefined>;
  end(session: Session): Promise<void>;
  /** Everywhere, or everywhere else. Returns how many. */
  endAll(user: User, keep?: { readonly session: number }): Promise<number>;
  /** Proves that a request comes from a page of ours that this session opened; for one purpose, 12 to 24 hours. */
  token(session: Session, purpose: string): string;
  isToken(session: Session, purpose: string, token: unknown): boolean;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
}

export function createSessions(_needs: Needs): Sessions {
  throw new Error('not built yet');
}
