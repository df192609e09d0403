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

/** Returns how many there were. */
export async function eraseSession(store: Store<IdentityTables>, id: number): Promise<number> {
  const { numDeletedRows } = await store.write((tx) =>
    tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}

/** All but the one kept, and the links that would let somebody in by a new password. Returns how many sessions there were. */
export const eraseSessions = (store: Store<IdentityTables>, { id }: User, keep?: { readonly session: number }) =>
  store.write((tx) => endOpened(tx, id, keep));
