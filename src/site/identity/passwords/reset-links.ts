// The links that set a new password, as they are kept: by a keyed hash, so that who reads the store cannot open one.
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keys } from '../../platform/keys.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { IdentityTables } from '../tables.ts';
import { usersLock } from '../users/guards.ts';
import { findUser } from '../users/rows.ts';
import type { User } from '../users/user.ts';

type Holder = Pick<User, 'id' | 'email'>;

interface ResetLinks {
  /** The key of a new link, which replaces those before it; nothing when there were too many in this hour. */
  make(user: Holder): Promise<string | undefined>;
  /** Whether it opens anything. */
  opens(user: Holder, key: string): Promise<boolean>;
  /** Uses it up, in the write that does what it is for. Of two who use it at once, one does. */
  use(tx: Transaction<IdentityTables>, user: Holder, key: string): Promise<boolean>;
}

/** In milliseconds. */
export const linksLast = 24 * hour;
const mostInAnHour = 5;

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  /** The sessions' key: whoever ends all of them ends the links as well. */
  readonly keys: Keys;
}

export function createResetLinks({ store, clock, keys }: Needs): ResetLinks {
  // With the address, so that a link sent to one that was replaced meanwhile opens nothing.
  const hashOf = ({ id, email }: Holder, key: string): string =>
    keyedHash(keys.sessions, `reset ${id} ${email} ${key}`);
  const ago = (milliseconds: number): string => instant(new Date(clock().getTime() - milliseconds));

  return {
    make(user) {
      const key = randomBytes(32).toString('base64url');
      const row = { user_id: user.id, hash: hashOf(user, key), created_at: instant(clock()) };
      return store.write(async (tx, { lock }) => {
        await lock(usersLock);
        if ((await findUser(tx, user.id)) === undefined) return undefined; // erased meanwhile
        const theirs = tx.selectFrom('password_resets').where('user_id', '=', user.id);
        const lately = await theirs.select('id').where('created_at', '>', ago(hour)).limit(mostInAnHour).execute();
        if (lately.length >= mostInAnHour) return undefined;
        await tx.updateTable('password_resets').set({ hash: '' }).where('user_id', '=', user.id).execute();
        await tx.insertInto('password_resets').values(row).execute();
        return key;
      });
    },
    async opens(user, key) {
      const link = store.db
        .selectFrom('password_resets')
        .select('id')
        .where('hash', '=', hashOf(user, key))
        .where('created_at', '>', ago(linksLast));
      return (await link.executeTakeFirst()) !== undefined;
    },
    async use(tx, user, key) {
      const { numUpdatedRows } = await tx
        .updateTable('password_resets')
        .set({ hash: '' })
        .where('hash', '=', hashOf(user, key))
        .where('created_at', '>', ago(linksLast))
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },
  };
}
