// Another name to sign in with, where one must go that everybody tries.
import { Problem } from '#kernel/problem.ts';
import type { Store } from '#store/store.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { Doing } from '../doing.ts';
import type { IdentityTables } from '../tables.ts';
import { loginFault } from './faults.ts';
import { refuseTaken, usersLock } from './guards.ts';
import { columns, findUser } from './rows.ts';
import { indexUser } from './search.ts';
import type { User } from './user.ts';
import { keyOf } from './words.ts';

/** Sessions and passwords stay; the name in addresses does too. Throws what is wrong with the name. */
export async function renameUser(
  store: Store<IdentityTables & TotalsTables>,
  id: number,
  login: string,
  { again }: Doing = {},
): Promise<{ before: User; after: User }> {
  const fault = loginFault(login);
  if (fault !== undefined) throw new Problem(400, fault.code, fault.message);
  return store.write(async (tx, { lock }) => {
    await lock(usersLock);
    const before = await findUser(tx, id);
    if (before === undefined) throw new Problem(404, 'rest_user_invalid_id', 'There is no user with this number.');
    await again?.(tx, before);
    await refuseTaken(tx, { login, id });
    const row = await tx
      .updateTable('users')
      .set({ login, login_key: keyOf(login) })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow();
    await indexUser(tx, row, before);
    return { before, after: { ...row, roles: before.roles } };
  });
}
