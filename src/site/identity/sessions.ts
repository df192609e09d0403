// Sessions: kept here, so that ending one ends it. The browser holds a random cookie, the store its keyed hash.
import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Keys } from '../keys.ts';
import { remembered } from '../remembered.ts';
import { isSame, keyedHash } from './secret.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import { usersLock } from './user-guards.ts';
import { findUser } from './user-rows.ts';

/** In seconds. */
export const sessionLasts = { ordinarily: 2 * 86_400, remembered: 14 * 86_400 } as const;

/** What the token of a page is good for that asks the interface. */
export const restPurpose = 'rest';

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

const mostKnown = 5_000;
const mostOfOne = 100;
const mostSwept = 500;
const longestAgent = 250;
const tick = 12 * 3_600_000;

export function createSessions({ store, clock, keys, events }: Needs): Sessions {
  const hashOf = (cookie: string): string => keyedHash(keys.sessions, `cookie ${cookie}`);
  const known = remembered<Session>(store.changes, {
    tables: ['sessions', 'users', 'user_roles'],
    most: mostKnown,
    load: (hash) => load(store, hash),
  });
  const unlessOver = (session: Session | undefined) =>
    session !== undefined && session.expires_at > instant(clock()) ? session : undefined;

  const tokenAt = (ticks: number, { id, user }: Session, purpose: string): string =>
    createHmac('sha256', keys.sessions)
      .update(`token ${ticks} ${id} ${user.id} ${purpose}`)
      .digest('base64url')
      .slice(0, 24);
  const ticks = (): number => Math.floor(clock().getTime() / tick);

  const ended = (user: User, sessions: number): void => {
    if (sessions > 0) events.emit('session.ended', { user, sessions });
  };

  return {
    async start(user, remember, { address, agent }) {
      const cookie = randomBytes(32).toString('base64url');
      const now = clock();
      const lasts = remember ? sessionLasts.remembered : sessionLasts.ordinarily;
      const times = { created_at: instant(now), expires_at: instant(new Date(now.getTime() + lasts * 1000)) };
      const row = {
        ...times,
        hash: hashOf(cookie),
        user_id: user.id,
        remembered: flag(remember),
        address,
        agent: agent.slice(0, longestAgent),
      };
      const { id } = await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        await sweep(tx, user, times.created_at);
        return tx.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow();
      });
      return { cookie, session: { id, user, ...times } };
    },

    find(cookie) {
      if (!/^[\w-]{43}$/.test(cookie)) return undefined;
      const found = known(hashOf(cookie));
      return found instanceof Promise ? found.then(unlessOver) : unlessOver(found);
    },

    async end({ id, user }) {
      const { numDeletedRows } = await store.write((tx) =>
        tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst(),
      );
      ended(user, Number(numDeletedRows));
    },

    async endAll(user, keep) {
      const { numDeletedRows } = await store.write((tx) =>
        tx
          .deleteFrom('sessions')
          .where('user_id', '=', user.id)
          .where('id', '<>', keep?.session ?? 0)
          .executeTakeFirst(),
      );
      ended(user, Number(numDeletedRows));
      return Number(numDeletedRows);
    },

    token: (session, purpose) => tokenAt(ticks(), session, purpose),

    isToken(session, purpose, token) {
      if (typeof token !== 'string') return false;
      const now = ticks();
      return isSame(token, tokenAt(now, session, purpose)) || isSame(token, tokenAt(now - 1, session, purpose));
    },
  };
}

async function load({ db }: Store<IdentityTables>, hash: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'created_at', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  const user = row && (await findUser(db, row.user_id));
  return user && { id: row.id, user, created_at: row.created_at, expires_at: row.expires_at };
}

/** Takes away what is over, and the oldest of who has very many. */
async function sweep(tx: Transaction<IdentityTables>, user: User, now: string): Promise<void> {
  const over = tx
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(mostSwept);
  await tx.deleteFrom('sessions').where('id', 'in', over).execute();
  const newest = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .orderBy('id', 'desc')
    .limit(mostOfOne - 1);
  await tx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', 'not in', newest).execute();
}
