// The doors that are open to somebody without their password: sessions, and links that would set a new one.
import type { Transaction } from 'kysely';
import type { IdentityTables } from '../tables.ts';

/** Closes them, all but the session kept. Returns how many sessions there were. */
export async function endOpened(
  tx: Transaction<IdentityTables>,
  user: number,
  keep?: { readonly session: number },
): Promise<number> {
  await tx
    .updateTable('password_resets')
    .set({ hash: '' })
    .where('user_id', '=', user)
    .where('hash', '<>', '')
    .execute();
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user)
    .where('id', '<>', keep?.session ?? 0)
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

/**
 * Closes those that somebody else made for them. Whoever may look after a small account must not come in with it once it is a
 * large one; what the machine's owner made, by the command line, stays. Returns the names of the application passwords.
 */
export async function endGiven(tx: Transaction<IdentityTables>, user: number): Promise<string[]> {
  const given = tx
    .selectFrom('application_passwords')
    .select('id')
    .where('user_id', '=', user)
    .where('made_by', 'not in', [user, nobodys]);
  await tx.deleteFrom('application_password_uses').where('password_id', 'in', given).execute();
  const gone = await tx.deleteFrom('application_passwords').where('id', 'in', given).returning('name').execute();
  return gone.map(({ name }) => name);
}

/** Made by no user: at the command line. */
export const nobodys = 0;
