// What is done with one user. Done once more, because a process died in between, it does no harm.
import type { Transaction } from 'kysely';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Groups } from '../../groups/groups.ts';
import type { Order } from './order.ts';
import type { UserActionTables } from './tables.ts';

interface Needs {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'sessions' | 'resets'>;
  readonly groups: Pick<Groups, 'include'>;
  /** So many signs that nobody can guess. */
  secret(signs: number): string;
}

export type Act = (order: Order, user: User) => Promise<void>;

const signs = 24;

export function createActing({ clock, identity, groups, secret }: Needs): Act {
  const { users, sessions, resets } = identity;
  return async (order, user) => {
    const { actions, answers, from } = order;
    if (actions['reset-password']) {
      const again = (tx: Transaction<UserActionTables>) => claimReset(tx, order, user, instant(clock()));
      const isSet = await users
        .change(user, { password: secret(signs) }, { by: answers, again: again as never })
        .then(() => true, falseWhenDone);
      if (isSet) await resets.replaced(user, from);
    }
    if (actions['force-logout']) await sessions.endAll(user);
    for (const group of actions['add-user-groups'] ?? []) await groups.include(group, user);
  };
}

/** In the write that sets the password: this order has set theirs before. */
class Done extends Error {}

function falseWhenDone(error: unknown): false {
  if (error instanceof Done) return false;
  throw error;
}

async function claimReset(
  tx: Transaction<UserActionTables>,
  { id }: Order,
  user: User,
  done_at: string,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('secsuite_user_resets')
    .values({ order_id: id, user_id: user.id, done_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw new Done();
}
