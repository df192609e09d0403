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
