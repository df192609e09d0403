// The doors that are open to somebody besides their own password: sessions, links that would set a new one or sign in, sign-ins that wait
// for a step, and what others made for them.
import type { Transaction } from 'kysely';
import { endTokens, linkPurpose, resetPurpose, signInPurpose } from '../one-time-tokens.ts';
import type { Roles } from '../roles.ts';
import type { IdentityTables } from '../tables.ts';
import { findUser } from './rows.ts';
import { nobodys, type User } from './user.ts';

type Writing = Transaction<IdentityTables>;

/** The session that goes on, by the hash of another cookie where one is given. */
export interface Kept {
  readonly session: number;
  readonly hash?: string;
}

/** Closes sessions, links and sign-ins that wait for a step, all but the session kept. Returns how many sessions there were. */
export async function endOpened(tx: Writing, user: number, keep?: Kept): Promise<number> {
  for (const purpose of [resetPurpose, signInPurpose, linkPurpose]) await endTokens(tx, user, purpose);
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user)
    .where('id', '<>', keep?.session ?? 0)
    .executeTakeFirst();
  if (keep?.hash !== undefined)
    await tx.updateTable('sessions').set({ hash: keep.hash }).where('id', '=', keep.session).execute();
  return Number(ended.numDeletedRows);
}

/** An application password that is no more. */
export interface Revoked {
  readonly user: User;
  readonly name: string;
}

/**
 * Closes what somebody made for them who may do less than they may from now on. Whoever looks after a small account must not
 * come in with it once it is a large one. A password such a one has set is theirs no more either.
 */
export async function endGiven(tx: Writing, user: User, roles: Roles) {
  const given = tx.selectFrom('application_passwords').select('made_by').where('user_id', '=', user.id).distinct();
  const { password_by: setter } = await tx
    .selectFrom('users')
    .select('password_by')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const makers = new Set([setter, ...(await given.execute()).map(({ made_by }) => made_by)]);
  const lesser: number[] = [];
  for (const maker of makers) if (await isLesser(tx, maker, user, roles)) lesser.push(maker);
  const isWithdrawn = lesser.includes(setter);
  if (isWithdrawn) await tx.updateTable('users').set({ password: '' }).where('id', '=', user.id).execute();
  const sessions = isWithdrawn ? await endOpened(tx, user.id) : 0;
  return { isWithdrawn, sessions, revoked: await revoke(tx, lesser, [user.id]) };
}

async function isLesser(tx: Writing, maker: number, user: User, roles: Roles): Promise<boolean> {
  if (maker === user.id || maker === nobodys) return false;
  const found = await findUser(tx, maker);
  return found === undefined || roles.isMore(user.roles, found.roles);
}

/** Closes what they made for others: who may do less than before keeps no door to anybody else. */
export async function endMade(tx: Writing, { id }: User): Promise<Revoked[]> {
  const made = tx.selectFrom('application_passwords').select('user_id').distinct();
  const theirs = await made.where('made_by', '=', id).where('user_id', '<>', id).execute();
  return revoke(
    tx,
    [id],
    theirs.map(({ user_id }) => user_id),
  );
}

async function revoke(tx: Writing, makers: readonly number[], owners: readonly number[]): Promise<Revoked[]> {
  const revoked: Revoked[] = [];
  if (makers.length === 0) return revoked;
  for (const owner of owners) {
    const ids = tx
      .selectFrom('application_passwords')
      .select('id')
      .where('user_id', '=', owner)
      .where('made_by', 'in', [...makers]);
    await tx.deleteFrom('application_password_uses').where('password_id', 'in', ids).execute();
    const gone = await tx.deleteFrom('application_passwords').where('id', 'in', ids).returning('name').execute();
    const user = await findUser(tx, owner);
    if (user !== undefined) revoked.push(...gone.map(({ name }) => ({ user, name })));
  }
  return revoked;
}
