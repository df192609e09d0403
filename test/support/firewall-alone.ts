// The firewall by itself, with just enough of a suite around it: what it logs and counts is seen, whom it trusts the test says.
import type { Entry, Services } from '#site/extension.ts';
import { core } from '../../src/extensions/core/extension.ts';
import { beginningOf } from '../../src/extensions/secsuite/disk/texts.ts';
import { createLockResponse } from '../../src/extensions/secsuite/lockouts/lock-response.ts';
import type { Event } from '../../src/extensions/secsuite/logs/entry.ts';
import { createFirewall, type Firewall } from '../../src/extensions/secsuite/parts/firewall/part.ts';
import { firewallMigrations } from '../../src/extensions/secsuite/parts/firewall/tables.ts';
import type { TestEngine } from './databases.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';

export interface Alone {
  readonly firewall: Firewall;
  readonly logged: Event[];
  /** Addresses of requests that were refused. */
  readonly struck: string[];
  isOn: boolean;
  isTrusted: boolean;
  /** Whether everything takes very long. */
  isSlow: boolean;
}

export const message = 'Nobody <em>passes</em> here.';

function nouns({ store, clock, log, site, jobs, events }: Services): Alone {
  const response = createLockResponse({ settings: { of: () => ({ lockout_message: message }) as never } });
  const alone = { logged: [] as Event[], struck: [] as string[], isOn: true, isTrusted: false, isSlow: false };
  let worked = 0;
  const firewall = createFirewall({
    store,
    clock,
    log,
    response,
    url: site.url,
    stopping: jobs.stopping,
    beginningOf,
    logs: { write: (event) => void alone.logged.push(event) },
    worked: () => {
      worked += alone.isSlow ? 100 : 0;
      return worked;
    },
    isOn: () => alone.isOn,
    isTrusted: () => alone.isTrusted,
    strike: async (address) => void alone.struck.push(address),
    follow: (work) => events.follow('login.failed', work),
    failed: (error) => log.error({ err: error }, 'Rules could not be read.'),
  });
  return Object.assign(alone, { firewall });
}

export interface Walled extends TestSite {
  readonly alone: Alone;
  /** A rule that runs from now on: its number. */
  rule(type: string, rules: readonly object[], more?: object): Promise<number>;
  /** The codes that were logged so far, which are forgotten by it. */
  codes(): string[];
}

export async function aWalledSite(engine: TestEngine, options: SiteOptions = {}): Promise<Walled> {
  let alone: Alone | undefined;
  const entry: Entry<Alone> = () => ({
    name: 'firewall-alone',
    tables: { migrations: firewallMigrations },
    nouns: (services) => {
      alone = nouns(services);
      return alone;
    },
    guards: ({ firewall: { guard, running } }) => [{ ...guard, isReady: () => running.isReady, ready: running.ready }],
  });
  const site = await aSite(engine, { ...options, extensions: [core, entry] });
  await alone!.firewall.running.ready;
  return {
    ...site,
    alone: alone!,
    rule: async (type, rules, more = {}) =>
      (await alone!.firewall.rules.add({ name: 'A rule', config: { type, rules, ...more }, paused: false })).id,
    codes: () => alone!.logged.splice(0).map(({ code }) => code),
  };
}

/** The cookie of a new session of somebody who is known by this password. */
export async function signedIn(site: Walled, login = 'kim', password = 'the garden gate is open'): Promise<string> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { headers } = await site.post('/login', new URLSearchParams({ log: login, pwd: password }).toString(), form);
  return headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('site_session='))!
    .split(';', 1)[0]!;
}
