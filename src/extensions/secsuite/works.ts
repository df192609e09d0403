// The modules that do one thing each, put together.
import type { Services } from '#site/extension.ts';
import { createActivity } from './activity/activity.ts';
import type { Matchables } from './groups/matchables.ts';
import type { Logs } from './logs/logs.ts';
import type { Settings } from './settings/types.ts';
import type { Switches } from './switches/types.ts';
import { createTweaks } from './tweaks/tweaks.ts';

interface Parts {
  readonly settings: Settings;
  readonly switches: Switches;
  readonly matchables: Pick<Matchables, 'matches'>;
  readonly logs: Pick<Logs, 'write'>;
}

export function createWorks(services: Services, { settings, switches, matchables, logs }: Parts) {
  const { identity, events, site, operator } = services;
  /** Switched off by the operator, the suite defends nothing. */
  const isRunning = (id: string): boolean => operator.security.suite && switches.isRunning(id);
  const tweaks = createTweaks({ ...services, settings, url: site.url, isRunning });
  const activity = createActivity({
    ...{ events, settings, switches, users: identity.users, matches: matchables.matches, log: logs.write },
    isRunning: () => isRunning('user-logging'),
  });
  return {
    guards: tweaks.guards,
    checks: [tweaks.check],
    end: () => activity.end(),
  };
}
