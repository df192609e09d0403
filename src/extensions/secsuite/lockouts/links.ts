// A way back in for users whose account others have locked: a link by email that works once, for 30 minutes.
import { day, minute } from '#lib/spans.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { addressOf } from '../addresses/block.ts';
import { subnetIn } from '../addresses/subnet.ts';
import type { Send } from '../notifications/sending.ts';
import type { Enforced } from './enforced.ts';
import { unlockPath } from './lock-response.ts';
import { release } from './rows.ts';
import type { LockoutTables } from './tables.ts';

export interface UnlockLinks {
  /** Emails a link to the user with this name, if their account is locked. The caller does not learn whether it did. */
  request(login: string): Promise<void>;
  /** Whether the link would unlock an account. */
  isValid(key: string): Promise<boolean>;
  /** Unlocks the account and spares it from lockouts at this IP address for a day. False if the link is not valid. */
  use(key: string, address: string): Promise<boolean>;
}

interface UnlockLinkDeps {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'oneTimeTokens'>;
  /** The public address of the site. */
  readonly url: string;
  readonly enforced: Pick<Enforced, 'user' | 'refresh'>;
  isRunning(module: string): boolean;
  /** Emails a notification. */
  readonly send: Send;
}

const sparedFor = day;
/** Links that are made at the same time. Further requests are dropped. */
const maxPending = 100;
/** No login and no email address is longer. */
const maxLoginLength = 320;

export function createUnlockLinks(deps: UnlockLinkDeps): UnlockLinks {
  const { store, clock, identity, enforced } = deps;
  const tokens = identity.oneTimeTokens({ name: 'unlock', life: 30 * minute, mostInAnHour: 5 });
  const isOn = () => deps.isRunning('magic-links');
  let pending = 0;
  const sendLink = async (login: string): Promise<void> => {
    const user = isOn() ? await identity.users.named(login) : undefined;
    if (user === undefined || user.email === '' || !enforced.user(user.id)) return;
    const key = await tokens.make({ user: user.id });
    const email = { to: user.email, awaited: true } as const;
    if (key !== undefined) await deps.send('magic-link-login-page', { ...email, tags: tagsOf(user, key, deps) });
  };
  return {
    async request(login) {
      if (pending >= maxPending) return;
      pending += 1;
      await sendLink(login.slice(0, maxLoginLength)).finally(() => {
        pending -= 1;
      });
    },
    isValid: async (key) => isOn() && (await tokens.find(key)) !== undefined,
    async use(key, address) {
      if (!isOn()) return false;
      const isUsed = await store.write(async (tx, during) => {
        const token = await tokens.consume(key);
        if (token === undefined) return false;
        await release(tx, during, { user: token.user }, instant(clock()));
        if (addressOf(address) === undefined) return true;
        const until = instant(new Date(clock().getTime() + sparedFor));
        const row = { user_id: token.user, address: subnetIn(address), until };
        const spared = tx.insertInto('secsuite_lockouts_spared').values(row);
        await spared.onConflict((on) => on.columns(['user_id', 'address']).doUpdateSet({ until })).execute();
        return true;
      });
      if (isUsed) await enforced.refresh();
      return isUsed;
    },
  };
}

const tagsOf = ({ login, name }: User, key: string, { url }: UnlockLinkDeps): Record<string, string> => ({
  username: login,
  display_name: name,
  login_url: `${url}${unlockPath}?key=${key}`,
});
