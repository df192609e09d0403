// A way back in for people whose account others have locked: a link by mail that works once, for half an hour.
import { randomBytes } from 'node:crypto';
import { day, hour, minute } from '#lib/spans.ts';
import { keyedHash } from '#site/identity/keyed-hash.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Keys } from '#site/platform/keys.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { addressOf } from '../addresses/block.ts';
import { subnetIn } from '../addresses/subnet.ts';
import type { Send } from '../notifications/sending.ts';
import type { Enforced } from './enforced.ts';
import { unlockPath } from './lock-response.ts';
import { release } from './rows.ts';
import type { LockoutTables } from './tables.ts';

export interface UnlockLinks {
  /** Mails one to whom this name is, if their account is locked. Nobody learns whether it did. */
  ask(login: string): Promise<void>;
  /** Whether it opens anything. */
  opens(key: string): Promise<boolean>;
  /** Unlocks the account it was mailed for, which is not locked from there for a while. False where it opens nothing. */
  use(key: string, address: string): Promise<boolean>;
}

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  /** What hashes are made with, as it is now: no link outlives it. */
  readonly keys: Pick<Keys, 'sessions'>;
  /** Where the site is reached. */
  readonly url: string;
  readonly enforced: Pick<Enforced, 'user' | 'refresh'>;
  isRunning(module: string): boolean;
  named(login: string): Promise<User | undefined>;
  /** Mails a notification. */
  readonly send: Send;
}

const lasts = 30 * minute;
const sparedFor = day;
const mostInAnHour = 5;
/** Links that are being made at once; more are not begun. */
const mostAtOnce = 100;
/** Nothing longer is a name or a key. */
const longest = 320;

export function createUnlockLinks(needs: Needs): UnlockLinks {
  const { store, clock, enforced, isRunning } = needs;
  const hashOf = (key: string): string => keyedHash(needs.keys.sessions, `unlock ${key}`);
  const ago = (span: number): string => instant(new Date(clock().getTime() - span));
  const open = (key: string) =>
    store.db
      .selectFrom('secsuite_unlock_links')
      .select('user_id')
      .where('hash', '=', hashOf(key))
      .where('used', '=', 0)
      .where('created_at', '>', ago(lasts));
  const make = (user: User): Promise<string | undefined> => {
    const key = randomBytes(32).toString('base64url');
    const row = { hash: hashOf(key), user_id: user.id, created_at: instant(clock()), used: flag(false) };
    return store.write(async (tx, { lock }) => {
      await lock(`secsuite.unlock ${user.id}`);
      const lately = tx.selectFrom('secsuite_unlock_links').select('hash').where('user_id', '=', user.id);
      const many = await lately.where('created_at', '>', ago(hour)).limit(mostInAnHour).execute();
      if (many.length >= mostInAnHour) return undefined;
      await tx.insertInto('secsuite_unlock_links').values(row).execute();
      return key;
    });
  };
  let underWay = 0;
  const mailed = async (login: string): Promise<void> => {
    const user = isRunning('magic-links') ? await needs.named(login) : undefined;
    if (user === undefined || user.email === '' || !enforced.user(user.id)) return;
    const key = await make(user);
    const letter = { to: user.email, awaited: true } as const;
    if (key !== undefined) await needs.send('magic-link-login-page', { ...letter, tags: tagsOf(user, key, needs) });
  };
  return {
    async ask(login) {
      if (underWay >= mostAtOnce) return;
      underWay += 1;
      await mailed(login.slice(0, longest)).finally(() => {
        underWay -= 1;
      });
    },
    opens: async (key) => isKey(key) && isRunning('magic-links') && (await open(key).executeTakeFirst()) !== undefined,
    async use(key, address) {
      if (!isKey(key) || !isRunning('magic-links')) return false;
      const isUsed = await store.write(async (tx, during) => {
        const used = tx
          .updateTable('secsuite_unlock_links')
          .set({ used: flag(true) })
          .where('hash', '=', hashOf(key));
        const link = await used
          .where('used', '=', 0)
          .where('created_at', '>', ago(lasts))
          .returning('user_id')
          .executeTakeFirst();
        if (link === undefined) return false;
        await release(tx, during, { user: link.user_id }, instant(clock()));
        if (addressOf(address) === undefined) return true;
        const until = instant(new Date(clock().getTime() + sparedFor));
        const row = { user_id: link.user_id, address: subnetIn(address), until };
        const spared = tx.insertInto('secsuite_lockouts_spared').values(row);
        await spared.onConflict((on) => on.columns(['user_id', 'address']).doUpdateSet({ until })).execute();
        return true;
      });
      if (isUsed) await enforced.refresh();
      return isUsed;
    },
  };
}

const isKey = (key: string): boolean => /^[\w-]{43}$/.test(key);

const tagsOf = ({ login, name }: User, key: string, { url }: Needs): Record<string, string> => ({
  username: login,
  display_name: name,
  login_url: `${url}${unlockPath}?key=${key}`,
});
