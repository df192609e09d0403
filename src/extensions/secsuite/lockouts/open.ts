// Lockouts of a site, put together.
import type { IncomingRequest } from '#kernel/request.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import { cookieOf } from '#lib/http-headers.ts';
import { isLoopback } from '#lib/ip-address.ts';
import type { Services } from '#site/extension.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import type { HouseNow } from '#site/pages/door.ts';
import type { Bans } from '../bans/bans.ts';
import type { Enforced as EnforcedBans } from '../bans/enforced.ts';
import type { OpenBans } from '../bans/open.ts';
import { createNames } from '../bans/record.ts';
import { type Base, createListeners } from '../base.ts';
import type { Authorised } from '../client/authorised.ts';
import type { Client } from '../client/client.ts';
import type { OpenGroups } from '../groups/open.ts';
import type { Logs } from '../logs/logs.ts';
import type { Center } from '../notifications/center.ts';
import type { Send } from '../notifications/sending.ts';
import type { Settings } from '../settings/types.ts';
import type { SettingsAndSwitches } from '../switches/open.ts';
import { isAddressKnown, type Switches } from '../switches/switches.ts';
import { createEnforced } from './enforced.ts';
import { createLockCheck, createLockGuards } from './guard.ts';
import { createLockResponse } from './lock-response.ts';
import { createReasons } from './lockout.ts';
import { createLockoutMail, digestOf } from './lockout-mail.ts';
import { createLockouts } from './lockouts.ts';
import { createPurge } from './purge.ts';
import { createShowing } from './record.ts';
import { createStatistics } from './statistics.ts';
import { createStriking, type Struck } from './striking.ts';
import { createUnlockLinks, unlockPages } from './unlock-page.ts';

export type Defence = ReturnType<typeof createDefence>;

interface DefenceDeps {
  readonly base: Base;
  readonly settings: Settings;
  readonly switches: Pick<Switches, 'isRunning' | 'modules'>;
  readonly bans: Bans;
  readonly enforcedBans: EnforcedBans;
  readonly authorised: Authorised;
  readonly logs: Logs;
  isManager(user: User): boolean;
  /** Whether IP addresses can be banned just now. */
  isBanning(): boolean;
  /** Tells everyone who wants to hear of lockouts. */
  tell(struck: Struck): Promise<void>;
  readonly send: Send;
}

type DefenceServices = Pick<Services, 'identity' | 'clients' | 'site' | 'content' | 'events' | 'log'>;

export function createDefence(services: DefenceServices, deps: DefenceDeps) {
  const { identity, clients, content, events, log } = services;
  const { url } = services.site;
  const { base, settings, switches, authorised, enforcedBans } = deps;
  const { isRunning } = switches;
  const isConfigured = () => isAddressKnown(settings);
  const guessing = isBehindProxy(url) ? authorised.besidesMachine : authorised;
  const shared = { ...base, ...deps, identity, url, log, isRunning, isConfigured, zone: content.zone };
  const enforced = createEnforced({ ...base, failed: base.failed('The lockouts') });
  const response = createLockResponse(shared);
  const reasons = createReasons({ ...shared, modules: switches.modules.all });
  const striking = createStriking({ ...shared, reasons, isAuthorised: guessing.isAuthorised });
  const lockouts = createLockouts({ ...shared, striking, enforced, reasons });
  const links = createUnlockLinks({ ...shared, enforced });
  const { isShared } = clients;
  const asking = { ...shared, enforced, bans: enforcedBans, response, lets: guessing.lets, isShared };
  const isBanned = (address: string) => enforcedBans.over(address) !== undefined;
  return {
    enforced,
    reasons,
    lockouts,
    response,
    /** Of bans and lockouts of IP addresses. Its owner says whether their values are ready. */
    guards: createLockGuards(asking),
    check: createLockCheck({
      ...asking,
      strike: lockouts.strike,
      endSession: (incoming) => endSession(incoming, identity),
    }),
    purge: createPurge(shared),
    statistics: createStatistics(shared),
    showLockouts: createShowing({ ...shared, reasons, isBanned, names: createNames(identity.users) }),
    /** Counts a wrong request from this IP address: how it is answered if that locks the address out. */
    async struck(type: 'recaptcha' | 'firewall', address: string): Promise<Refusal | undefined> {
      const lock = await lockouts.strike({ type, address });
      return lock && response.refusal(lock);
    },
    /** The same for a sign-in: throws the answer. */
    async refuseStruck(type: 'recaptcha' | 'firewall', address: string): Promise<void> {
      const lock = await lockouts.strike({ type, address });
      if (lock !== undefined) throw response.refused(lock, undefined);
    },
    pages: (house: HouseNow) => unlockPages({ links, follow: (work) => events.follow('login.failed', work) }, house),
  };
}

interface LockoutDeps extends SettingsAndSwitches, OpenBans, Pick<OpenGroups, 'manage'> {
  readonly base: Base;
  readonly logs: Logs;
  readonly client: Client;
  readonly center: Center;
}

export function openLockouts(services: Services, deps: LockoutDeps) {
  const { base, settings, switches, enforced, bans, banning, manage, logs, client, center } = deps;
  const { users } = services.identity;
  const listeners = createListeners<[Struck]>((error) =>
    services.log.error({ err: error }, 'A listener to lockouts failed.'),
  );
  const mailLockout = createLockoutMail({
    ...base,
    send: center.send,
    isWanted: () => center.isWanted('lockout'),
    loginOf: async (user) => (await users.find(user))?.login ?? String(user),
  });
  const defence = createDefence(services, {
    base,
    settings,
    switches,
    bans,
    enforcedBans: enforced,
    authorised: client.authorised,
    logs,
    isManager: manage.isManager,
    isBanning: banning.isListed,
    send: center.send,
    tell: async (struck) => {
      listeners.tell(struck);
      await mailLockout(struck);
    },
  });
  center.writes('digest', digestOf(defence.lockouts));
  const { lockouts, showLockouts, statistics } = defence;
  return { defence, lockouts, showLockouts, statistics, mailLockout, onLockout: listeners.add };
}

/** Gatehouse itself does not speak HTTPS. */
function isBehindProxy(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !isLoopback(hostname);
}

async function endSession({ headers }: IncomingRequest, { sessions }: Pick<Identity, 'sessions'>): Promise<void> {
  const cookie = cookieOf([headers.cookie ?? []].flat()[0], sessionCookie);
  const session = cookie === undefined ? undefined : await sessions.find(cookie);
  if (session !== undefined) await sessions.end(session);
}
