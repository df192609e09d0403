// All that lockouts are made of, put together.

import type { Page } from '#kernel/http/page.ts';
import type { Knock } from '#kernel/knock.ts';
import { cookieOf } from '#lib/http-headers.ts';
import { isLoopback } from '#lib/loopback.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Guard, Refusal } from '#site/hooks/guards.ts';
import type { Check } from '#site/identity/checks.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import type { HouseNow } from '#site/pages/door.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Bans } from '../bans/bans.ts';
import type { Enforced as EnforcedBans } from '../bans/enforced.ts';
import type { Authorised } from '../client/authorised.ts';
import type { Logs } from '../logs/logs.ts';
import type { Send } from '../notifications/sending.ts';
import type { Settings } from '../settings/types.ts';
import { isAddressKnown } from '../switches/requirements.ts';
import type { Switches } from '../switches/types.ts';
import { createLockCheck } from './check.ts';
import { createEnforced, type Enforced } from './enforced.ts';
import { createLockGuard } from './guard.ts';
import { createUnlockLinks } from './links.ts';
import { createLockResponse, type LockResponse } from './lock-response.ts';
import { createLockouts, type Lockouts } from './lockouts.ts';
import { createPurge, type Purge } from './purge.ts';
import { createReasons, type Reasons } from './reasons.ts';
import { createShowing, type Showing } from './record.ts';
import { createStatistics, type Statistics } from './statistics.ts';
import { createStriking, type Struck } from './striking.ts';
import { unlockPages } from './unlock-page.ts';

export interface Defence {
  readonly enforced: Enforced;
  readonly reasons: Reasons;
  readonly lockouts: Lockouts;
  readonly response: LockResponse;
  /** Of bans and lockouts of addresses. Whether their values are ready its owner says. */
  readonly guard: Pick<Guard, 'arriving' | 'known'>;
  readonly check: Check;
  readonly purge: Purge;
  readonly statistics: Statistics;
  readonly showLockouts: Showing;
  /** A request from there was wrong: how it is answered, where that locked the address out. */
  struck(type: 'recaptcha' | 'firewall', address: string): Promise<Refusal | undefined>;
  /** As above, of somebody who signs in: throws the answer. */
  refuseStruck(type: 'recaptcha' | 'firewall', address: string): Promise<void>;
  pages(house: HouseNow): Page[];
}

interface Needs {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly switches: Pick<Switches, 'isRunning' | 'modules'>;
  readonly bans: Bans;
  readonly enforcedBans: EnforcedBans;
  readonly authorised: Authorised;
  readonly logs: Logs;
  readonly log: Pick<Log, 'error'>;
  readonly identity: Pick<Identity, 'users' | 'sessions' | 'oneTimeTokens'>;
  readonly url: string;
  readonly stopping: AbortSignal;
  isManager(user: User): boolean;
  /** Whether addresses can be banned just now. */
  isBanning(): boolean;
  zone(): Promise<Zone>;
  names(users: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Tells whoever wants to hear of lockouts. */
  tell(struck: Struck): Promise<void>;
  readonly send: Send;
  /** Does what nobody waits for. */
  follow(work: () => Promise<void>): void;
  failed(error: unknown): void;
}

export function createDefence(needs: Needs): Defence {
  const { settings, switches, authorised, enforcedBans, identity } = needs;
  const { isRunning } = switches;
  const isConfigured = () => isAddressKnown(settings);
  const guessing = isBehindProxy(needs.url) ? authorised.besidesMachine : authorised;
  const enforced = createEnforced(needs);
  const response = createLockResponse(needs);
  const reasons = createReasons({ modules: switches.modules.all, settings, isRunning });
  const striking = createStriking({ ...needs, reasons, isAuthorised: guessing.isAuthorised });
  const lockouts = createLockouts({ ...needs, striking, enforced, reasons, isConfigured });
  const links = createUnlockLinks({ ...needs, enforced, isRunning });
  const asking = { ...needs, enforced, response, isRunning, isConfigured, lets: guessing.lets };
  return {
    enforced,
    reasons,
    lockouts,
    response,
    guard: createLockGuard({ ...asking, bans: enforcedBans }),
    check: createLockCheck({ ...asking, strike: lockouts.strike, endSession: (knock) => endSession(knock, identity) }),
    purge: createPurge(needs),
    statistics: createStatistics(needs),
    showLockouts: createShowing({ ...needs, reasons, isBanned: (address) => enforcedBans.over(address) !== undefined }),
    async struck(type, address) {
      const lock = await lockouts.strike({ type, address });
      return lock && response.refusal(lock);
    },
    async refuseStruck(type, address) {
      const lock = await lockouts.strike({ type, address });
      if (lock !== undefined) throw response.refused(lock, undefined);
    },
    pages: (house) => unlockPages({ links, follow: needs.follow }, house),
  };
}

/** Gatehouse itself does not speak HTTPS. */
function isBehindProxy(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !isLoopback(hostname);
}

async function endSession({ headers }: Knock, { sessions }: Needs['identity']): Promise<void> {
  const cookie = cookieOf([headers.cookie ?? []].flat()[0], sessionCookie);
  const session = cookie === undefined ? undefined : await sessions.find(cookie);
  if (session !== undefined) await sessions.end(session);
}
