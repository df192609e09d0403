// Sessions: kept here, so that ending one ends it. The browser holds a random cookie, the store its keyed hash.
import { createHmac, randomBytes } from 'node:crypto';
import { day, hour } from '#lib/spans.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { cachedByTable } from '../../platform/cache/records.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import { isSame, type Keys, keyedHash } from '../../platform/keys.ts';
import type { Holder } from '../application-passwords/uses.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';
import {
  eraseSession,
  eraseSessions,
  findSession,
  insertSession,
  type ListedSession,
  listSessions,
  type Session,
} from './rows.ts';
import { createSessionUses, type SessionUses } from './uses.ts';

export type { ListedSession, Session } from './rows.ts';

export interface Client {
  readonly address: string;
  readonly agent: string;
}

/** The value of the cookie, and the session it opens. */
export interface Started {
  readonly cookie: string;
  readonly session: Session;
}

export interface Sessions extends Tokens, SessionUses {
  /** Nothing when the user is gone meanwhile, or has another password than the one whose hash is given. */
  start(user: User, remember: boolean, client: Client, password?: string): Promise<Started | undefined>;
  /** The same session by another cookie, for the write that ends all others (`keep`): whoever copied the old one is out. */
  renewed(session: Session): Started;
  /** At once when it was seen lately. */
  find(cookie: string): Session | undefined | Promise<Session | undefined>;
  /** Newest first. */
  list(user: User): Promise<ListedSession[]>;
  /** Does nothing to a session of another user, and to one that has ended. */
  end(session: Pick<Session, 'id' | 'user'>): Promise<void>;
  /** Everywhere, or everywhere else; links that would set a new password open nothing any more, and no sign-in waits for a step. Returns how many. */
  endAll(user: User, keep?: { readonly session: number }): Promise<number>;
}

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
}

const days = { ordinarily: 2, remembered: 14 } as const;
const mostKnown = 5_000;
const longestAgent = 250;
const cookieForm = /^[\w-]{43}$/;

export function createSessions({ store, clock, keys, events }: Needs): Sessions {
  const hashOf = (cookie: string): string => keyedHash(keys.sessions, `cookie ${cookie}`);
  const known = cachedByTable<Session>(store, {
    tables: ['sessions', 'users', 'user_roles'],
    most: mostKnown,
    load: (hash) => findSession(store.db, hash),
  });
  const unlessOver = (session: Session | undefined): Session | undefined =>
    session !== undefined && session.expires_at > instant(clock()) ? session : undefined;
  const ended = (user: User, sessions: number): number => {
    if (sessions > 0) events.emit('session.ended', { user, sessions });
    return sessions;
  };

  return {
    ...createTokens({ clock, keys }),
    ...createSessionUses({ store, clock, events }),

    async start(user, remember, { address, agent }, password) {
      const cookie = newCookie();
      const times = timesOf(clock(), remember ? days.remembered : days.ordinarily);
      const about = { remembered: flag(remember), address, agent: agent.slice(0, longestAgent) };
      const row = { hash: hashOf(cookie), user_id: user.id, ...times, ...about };
      const started = await insertSession(store, row, password);
      const { id } = started ?? {};
      return id === undefined
        ? undefined
        : { cookie, session: { id, user, ...times, remembered: remember, hash: row.hash } };
    },

    renewed(session) {
      const cookie = newCookie();
      return { cookie, session: { ...session, hash: hashOf(cookie) } };
    },

    find(cookie) {
      if (!cookieForm.test(cookie)) return undefined;
      const found = known(hashOf(cookie));
      return found instanceof Promise ? found.then(unlessOver) : unlessOver(found);
    },

    list: (user) => listSessions(store.db, user, instant(clock())),
    end: async ({ id, user }) => void ended(user, await eraseSession(store, id, user)),
    endAll: async (user, keep) => ended(user, await eraseSessions(store, user, keep)),
  };
}

const newCookie = (): string => randomBytes(32).toString('base64url');

const timesOf = (now: Date, lasts: number) => ({
  created_at: instant(now),
  expires_at: instant(new Date(now.getTime() + lasts * day)),
});

// Proof that a request comes from a page of ours. Nothing is kept of them: each can be worked out again from the session.

/** What the token of a page is good for that asks the interface. */
export const restPurpose = 'rest';

/** What the token in the link of a preview opens. */
export const previewPurpose = (post: number): string => `preview ${post}`;

interface Bearer {
  readonly id: number;
  readonly user: User;
}

interface Tokens {
  /** Of a page that this session opened; for one purpose, 12 to 24 hours. */
  token(session: Bearer, purpose: string): string;
  isToken(session: Bearer, purpose: string, token: unknown): boolean;
  /** For a link that is opened without a session: good for one purpose, for one hour, on behalf of this application password. */
  linkToken(password: Pick<Holder, 'id'>, purpose: string): string;
  /** The number of that application password, which may be revoked by now; nothing for a token that is wrong or has expired. */
  linkPassword(purpose: string, token: unknown): number | undefined;
}

const tick = 12 * hour;
const linkLasts = hour;
const length = 24;
const linkForm = /^(\d{1,15})\.(\d{1,15})\.[\w-]{24}$/;

function createTokens({ clock, keys }: { readonly clock: Clock; readonly keys: Keys }): Tokens {
  const ticks = (): number => Math.floor(clock().getTime() / tick);
  const signature = (text: string): string =>
    createHmac('sha256', keys.sessions).update(text).digest('base64url').slice(0, length);
  const tokenAt = (at: number, { id, user }: Bearer, purpose: string): string =>
    signature(`token ${at} ${id} ${user.id} ${purpose}`);
  const linkTokenUntil = (until: number, password: number, purpose: string): string =>
    `${until}.${password}.${signature(`link ${until} ${password} ${purpose}`)}`;
  return {
    token: (session, purpose) => tokenAt(ticks(), session, purpose),
    isToken(session, purpose, token) {
      if (typeof token !== 'string') return false;
      const now = ticks();
      return [now, now - 1].some((at) => isSame(token, tokenAt(at, session, purpose)));
    },
    linkToken: ({ id }, purpose) => linkTokenUntil(clock().getTime() + linkLasts, id, purpose),
    linkPassword(purpose, token) {
      if (typeof token !== 'string') return undefined;
      const [, until = 0, password = 0] = linkForm.exec(token)?.map(Number) ?? [];
      const isGood = isSame(token, linkTokenUntil(until, password, purpose)) && until > clock().getTime();
      return isGood ? password : undefined;
    },
  };
}
