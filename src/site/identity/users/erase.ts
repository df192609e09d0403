// Deleting a user for good, with everything that is theirs alone.
import { Problem } from '#kernel/problem.ts';
import { isLastAdministrator } from './guards.ts';
import { countRoles } from './held-roles.ts';
import { endMade, type Revoked } from './opened.ts';
import type { Writing } from './rows.ts';
import { unindexUser } from './search.ts';
import type { User } from './user.ts';

/** Who takes over what was theirs is there, and somebody else. */
export async function refuseReassign(tx: Writing, { id }: User, reassign: number | undefined): Promise<void> {
  if (reassign === undefined) return;
  const query = tx.selectFrom('users').select('id').where('id', '=', reassign).where('id', '<>', id);
  if ((await query.executeTakeFirst()) === undefined)
    throw new Problem(400, 'rest_user_invalid_reassign', 'There is no such user to hand over to.');
}

/** Returns what ended with them elsewhere. */
export async function eraseUser(tx: Writing, user: User): Promise<Revoked[]> {
  const { id, roles } = user;
  if (await isLastAdministrator(tx, user))
    throw new Problem(403, 'rest_user_cannot_delete', 'The last administrator cannot be deleted.');
  const revoked = await endMade(tx, user);
  const passwords = tx.selectFrom('application_passwords').select('id').where('user_id', '=', id);
  await tx.deleteFrom('application_password_uses').where('password_id', 'in', passwords).execute();
  for (const theirs of ['application_passwords', 'sessions', 'one_time_tokens', 'user_meta', 'user_roles'] as const)
    await tx.deleteFrom(theirs).where('user_id', '=', id).execute();
  await unindexUser(tx, id);
  await tx.deleteFrom('users').where('id', '=', id).execute();
  await countRoles(tx, { all: -1, gone: roles, come: [] });
  return revoked;
}
