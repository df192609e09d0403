// Banned and locked out addresses are turned away at the door, and managers are known by where they come from.
import { forKnock } from '#kernel/knock.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Enforced as EnforcedBans } from '../bans/enforced.ts';
import type { Authorised } from '../client/authorised.ts';
import type { Enforced } from './enforced.ts';
import type { LockResponse } from './lock-response.ts';
import type { Lock } from './lockout.ts';

interface Needs {
  readonly bans: Pick<EnforcedBans, 'over' | 'size'>;
  readonly enforced: Pick<Enforced, 'host' | 'size'>;
  readonly authorised: Pick<Authorised, 'lets' | 'visited'>;
  readonly response: Pick<LockResponse, 'refusal'>;
  /** Whether it was chosen how the client's address is found. */
  isConfigured(): boolean;
  /** Whether addresses can be banned just now. */
  isBanning(): boolean;
  isManager(user: User): boolean;
}

export function createLockGuard(needs: Needs): Pick<Guard, 'arriving' | 'known'> {
  const { bans, enforced, authorised, response, isConfigured, isBanning, isManager } = needs;
  const lockOn = (address: string): Lock | undefined => {
    if (bans.size > 0 && bans.over(address) !== undefined && isBanning()) return { kind: 'ban' };
    return enforced.size > 0 && enforced.host(address) ? { kind: 'host' } : undefined;
  };
  return {
    arriving(knock) {
      const lock = lockOn(knock.address);
      if (lock === undefined || !isConfigured()) return undefined;
      return forKnock(knock, () => authorised.lets(knock.address)) ? undefined : response.refusal(lock);
    },
    known(knock, { user }) {
      if (user === undefined || !isConfigured() || !isManager(user)) return undefined;
      return authorised.visited(knock.address)?.then(() => undefined);
    },
  };
}
