// The links that set a new password, as they are kept: by a keyed hash, so that who reads the store cannot open one.
import { randomBytes } from 'node:crypto';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../clock.ts';
import type { Keys } from '../../keys.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';

export interface Link {
  readonly id: number;
  readonly hash: string;
}

export interface ResetLinks {
  /** The key of a new link, which replaces those before it; nothing when there were too many in this hour. */
  make(user: User): Promise<string | undefined>;
  find(user: User, key: string): Promise<Link | undefined>;
  /** Of two who use it at once, one does. */
  use(link: Link): Promise<boolean>;
  giveBack(link: Link): Promise<void>;
}

const hour = 3_600_000;
const lasts = 24 * hour;
const mostInAnHour = 5;

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  /** The sessions' key: whoever ends all of them ends the links as well. */
  readonly keys: Keys;
}

export function createResetLinks({ store, clock, keys }: Needs): ResetLinks {
  // With the address, so that a link sent to one that was replaced meanwhile opens nothing.
  const hashOf = ({ id, email }: User, key: string): string => keyedHash(keys.sessions, `reset ${id} ${email} ${key}`);
  const ago = (milliseconds: number): string => instant(new Date(clock().getTime() - milliseconds));
  const turn = (link: Link, from: string, to: string) =>
    store.write((tx) =>
      tx
        .updateTable('password_resets')
        .set({ hash: to })
        .where('id', '=', link.id)
        .where('hash', '=', from)
        .executeTakeFirst(),
    );

  return {
    make(user) {
      const key = randomBytes(32).toString('base64url');
      const row = { user_id: user.id, hash: hashOf(user, key), created_at: instant(clock()) };
      return store.write(async (tx, { lock }) => {
        await lock(`password_resets ${user.id}`);
        const theirs = tx.selectFrom('password_resets').where('user_id', '=', user.id);
        const lately = await theirs.select('id').where('created_at', '>', ago(hour)).limit(mostInAnHour).execute();
        if (lately.length >= mostInAnHour) return undefined;
        await tx
          .deleteFrom('password_resets')
          .where('user_id', '=', user.id)
          .where('created_at', '<=', ago(lasts))
          .execute();
        await tx.updateTable('password_resets').set({ hash: '' }).where('user_id', '=', user.id).execute();
        await tx.insertInto('password_resets').values(row).execute();
        return key;
      });
    },
    find: (user, key) =>
      store.db
        .selectFrom('password_resets')
        .select(['id', 'hash'])
        .where('hash', '=', hashOf(user, key))
        .where('created_at', '>', ago(lasts))
        .executeTakeFirst(),
    use: async (link) => (await turn(link, link.hash, '')).numUpdatedRows > 0,
    giveBack: async (link) => void (await turn(link, '', link.hash)),
  };
}
