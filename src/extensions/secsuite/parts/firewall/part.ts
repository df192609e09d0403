// The firewall: rules that refuse requests, those that run now, and the guard that holds requests against them.

import { hour } from '#lib/spans.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import { beginningOf } from '../../disk/texts.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import type { Logs } from '../../logs/logs.ts';
import { byRule } from '../../logs/named.ts';
import { limitsOfHosts, type Module, type SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { count, explained, minutes, settingsCard } from '../../setting-schemas.ts';
import { isAddressKnown } from '../../switches/switches.ts';
import { createAskedOf } from './asked.ts';
import { workOfThread } from './engine/engine.ts';
import type { Pass } from './engine/run.ts';
import { createPatcher } from './feed/patches.ts';
import { createFirewallGuard } from './guard.ts';
import { createRefusals, createTelling, firewallErrors } from './refusals.ts';
import { createRehearsal } from './rehearsal/rehearsal.ts';
import { rehearsalRoutes } from './rehearsal/routes.ts';
import { derivedShapeTables, quietShapeTables, shapeMigrations } from './rehearsal/tables.ts';
import { firewallRoutes } from './routes.ts';
import { createRules, type Rules } from './rules.ts';
import { createRunning, type Running } from './running.ts';
import { firewallMigrations } from './tables.ts';

export interface Firewall {
  readonly rules: Rules;
  readonly running: Running;
  readonly guard: Guard;
}

interface Needs {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly logs: Pick<Logs, 'write'>;
  readonly response: Pick<LockResponse, 'refusal'>;
  /** Where the site is reached. */
  readonly url: string;
  readonly stopping: AbortSignal;
  /** What this thread has worked so far, in milliseconds. */
  readonly worked?: () => number;
  /** Whether rules are run just now. */
  isOn(): boolean;
  isTrusted(address: string, pass: Pass): boolean;
  strike(address: string): Promise<unknown>;
  follow(work: () => Promise<void>): void;
  beginningOf(path: string, most: number): Promise<Buffer>;
  failed(error: unknown): void;
}

export function createFirewall(needs: Needs): Firewall {
  const worked = needs.worked ?? workOfThread;
  const running = createRunning({ ...needs, worked });
  const guard = createFirewallGuard({
    ...needs,
    engine: () => (needs.isOn() ? running.now : undefined),
    askedOf: createAskedOf(needs.url, needs.clock),
    refusals: createRefusals(needs),
    telling: createTelling(needs.logs),
  });
  return { rules: createRules({ ...needs, follow: running.follow }), running, guard };
}

const settings = settingsCard({
  properties: {
    max_attempts_host: count(
      10,
      0,
      'Refused requests before a lockout',
      'Number of blocked requests that locks out an IP address. 0 locks out no IP address.',
    ),
    check_period: minutes(30, 0, 'Within minutes', 'Number of minutes that a blocked request counts.'),
    keep_requests: explained(
      {
        off: ['Nothing'],
        shapes: ['Structure only', 'Method, path, names of parameters, and of each value its size and a keyed hash.'],
        values: ['Values too', 'The same and the values, except values that look like passwords or other secrets.'],
      },
      'shapes',
      'Requests to try rules on',
      'The site stores a sample of requests for 24 hours, so that you can try a rule before you turn it on. Choose what it stores of each request.',
    ),
  },
});

type FirewallSettings = SettingsOf<{ readonly settings: typeof settings }>;

const firewallModule = {
  id: 'firewall',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Firewall',
  description: 'Checks every request with rules, and blocks requests that look like an attack.',
  settings,
  lockouts: [
    {
      type: 'firewall',
      label: 'Firewall',
      reason: 'Requests that the firewall blocked',
      limits: ({ max_attempts_host, check_period }: FirewallSettings) => limitsOfHosts(max_attempts_host, check_period),
    },
  ],
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    firewall: FirewallSettings;
  }
}

export const firewallPart = part({
  name: 'firewall',
  errors: firewallErrors,
  modules: [firewallModule],
  tables: {
    migrations: [...firewallMigrations, ...shapeMigrations],
    quiet: quietShapeTables,
    derived: derivedShapeTables,
    leftOut: { secsuite_firewall_rules: ['secsuite_firewall_rules'] },
  },
  logged: {
    firewall: {
      label: 'Firewall',
      codes: {
        BLOCK: byRule('Request blocked'),
        LOG: byRule('Request logged'),
        REDIRECT: byRule('Request redirected'),
        WHITELIST: byRule('Request allowed'),
        'auto-created-rule': (advisory) => `A rule of the feed protects from ${advisory}`,
        'rule-cleaned': (advisory) => `The rule that protected from ${advisory} is no longer needed`,
        'ingest-failed': 'The feed of rules could not be used',
        'over-budget': 'A request needed too much work in the rules, and was blocked',
        'rule-failed': (rule) => `Rule ${rule} failed`,
        'rule-left-out': (rule) => `Rule ${rule} cannot be run, and is left out`,
      },
    },
  },
  make: (services, { base, settings, logs, client, defence, defends, followed, roles, patching }) => {
    const { operator, log, site, events, program, seal, outgoing } = services;
    const { authorised } = client;
    const firewall = createFirewall({
      ...base,
      log,
      logs,
      url: site.url,
      beginningOf,
      response: defence.response,
      isOn: () => operator.security.firewall && defends('firewall'),
      // A thief of a password has visited too, so a visit does not let a request write.
      isTrusted: (address, pass) =>
        isAddressKnown(settings) && (pass === 'write' ? authorised.letsByChoice(address) : authorised.lets(address)),
      strike: (address) => defence.struck('firewall', address),
      follow: (work) => events.follow('login.failed', work),
      failed: base.failed('The rules of the firewall'),
    });
    followed.push(firewall.running);
    const { follow } = firewall.running;
    patching.provide(createPatcher({ ...base, log, logs, outgoing, settings: operator.security, follow }));
    const rehearsal = createRehearsal({
      store: base.store,
      clock: base.clock,
      log,
      hash: seal.keyedHash('request shapes'),
      askedOf: createAskedOf(site.url, base.clock),
      siteHost: new URL(site.url).hostname,
      can: (held, capability) => roles.capabilitiesOf(held).has(capability),
      kept: () => (settings.isReady && defends('firewall') ? settings.of('firewall').keep_requests : 'off'),
    });
    const { ruleFeed } = operator.security;
    const ruleRemotes = ruleFeed?.kind === 'url' ? [{ name: 'the feed of firewall rules', url: ruleFeed.url }] : [];
    return { firewall, rehearsal, ruleRemotes, recordsRequests: program.isServing };
  },
  guards: ({ firewall, rehearsal, recordsRequests }) => [...(recordsRequests ? [rehearsal.guard] : []), firewall.guard],
  tasks: [{ name: 'delete-request-shapes', every: hour, run: ({ rehearsal }) => rehearsal.purge() }],
  health: { remotes: ({ ruleRemotes }) => ruleRemotes },
  end: ({ rehearsal }) => rehearsal.end(),
  routes: ({ tools, gate, isRunning }) => ({
    v1: isRunning('firewall') ? [...firewallRoutes(tools, gate.manager), ...rehearsalRoutes(tools, gate.manager)] : [],
  }),
});
