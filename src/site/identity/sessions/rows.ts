// Sessions as they are kept: rows that say whose they are, and the hash of the cookie that opens them.
import type { Insertable, Transaction } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables, SessionsTable } from '../tables.ts';
import { usersLock } from '../users/guards.ts';
import { endOpened } from '../users/opened.ts';
import { findUser } from '../users/rows.ts';
import type { User } from '../users/user.ts';

export interface Session {
  readonly id: number;
  readonly user: User;
  /** When the person signed in; some deeds ask for a fresh sign-in. */
  readonly created_at: string;
  readonly expires_at: string;
  /** Whether the browser keeps it when it is closed. */
  readonly remembered: boolean;
  /** Of the cookie that opens it. */
  readonly hash: string;
}

/** A session as its user sees it in a list. */
export interface ListedSession extends Pick<Session, 'id' | 'created_at'> {
  readonly last_used: string;
  /** Of its last use that was written, or of the sign-in; empty if unknown. */
  readonly address: string;
  /** As the browser named itself at the sign-in; empty if it did not. */
  readonly agent: string;
}

const mostOfOne = 100;

export async function findSession(db: Reads<IdentityTables>, hash: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'created_at', 'expires_at', 'remembered'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  const user = row && (await findUser(db, row.user_id));
  if (row === undefined || user === undefined) return undefined;
  const { id, created_at, expires_at, remembered } = row;
  return { id, user, created_at, expires_at, remembered: remembered === 1, hash };
}

/** Those of a user that have not expired, newest first. */
export async function listSessions(
  db: Reads<IdentityTables>,
  { id }: Pick<User, 'id'>,
  now: string,
): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('sessions as session')
    .leftJoin('session_uses as use', 'use.session_id', 'session.id')
    .select(['session.id', 'session.created_at', 'session.agent', 'session.address as began_at'])
    .select(['use.used_at', 'use.address as used_from'])
    .where('session.user_id', '=', id)
    .where('session.expires_at', '>', now)
    .orderBy('session.id', 'desc')
    .limit(mostOfOne)
    .execute();
  return rows.map(({ began_at, used_at, used_from, ...session }) => ({
    ...session,
    last_used: used_at ?? session.created_at,
    address: used_from ?? began_at,
  }));
}

/** Nothing when the user is gone meanwhile, or has another password than the one they were let in with. */
export function insertSession(
  store: Store<IdentityTables>,
  row: Insertable<SessionsTable>,
  password?: string,
): Promise<{ id: number } | undefined> {
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    const user = await tx.selectFrom('users').select('password').where('id', '=', row.user_id).executeTakeFirst();
    if (user === undefined || (password !== undefined && user.password !== password)) return undefined;
    await keepNewest(tx, row.user_id);
    return tx.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow();
  });
}

/** Of who has very many, the oldest are taken away. */
async function keepNewest(tx: Transaction<IdentityTables>, user: number): Promise<void> {
  const newest = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user)
    .orderBy('id', 'desc')
    .limit(mostOfOne - 1);
  await tx.deleteFrom('sessions').where('user_id', '=', user).where('id', 'not in', newest).execute();
}

/** Returns how many there were: none, if it is another user's. */
export async function eraseSession(store: Store<IdentityTables>, id: number, { id: user }: User): Promise<number> {
  const { numDeletedRows } = await store.write((tx) =>
    tx.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', user).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}

/** All but the one kept, and the links that would let somebody in by a new password. Returns how many sessions there were. */
export const eraseSessions = (store: Store<IdentityTables>, { id }: User, keep?: { readonly session: number }) =>
  store.write((tx) => endOpened(tx, id, keep));
