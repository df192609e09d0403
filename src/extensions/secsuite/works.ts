// The modules that do one thing each, put together.
import type { Services } from '#site/extension.ts';
import { createActivity } from './activity/activity.ts';
import type { Matchables } from './groups/matchables.ts';
import { createHidden } from './hide-backend/hide-backend.ts';
import type { Logs } from './logs/logs.ts';
import type { Center } from './notifications/center.ts';
import type { Settings } from './settings/types.ts';
import type { Switches } from './switches/types.ts';
import { createTweaks } from './tweaks/tweaks.ts';

interface Parts {
  readonly settings: Settings;
  readonly switches: Switches;
  readonly matchables: Pick<Matchables, 'matches'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly center: Pick<Center, 'send'>;
}

export function createWorks(services: Services, { settings, switches, matchables, logs, center }: Parts) {
  const { identity, events, site, operator } = services;
  /** Switched off by the operator, the suite defends nothing. */
  const isRunning = (id: string): boolean => operator.security.suite && switches.isRunning(id);
  const tweaks = createTweaks({ ...services, settings, url: site.url, isRunning });
  const activity = createActivity({
    ...{ events, settings, switches, users: identity.users, matches: matchables.matches, log: logs.write },
    isRunning: () => isRunning('user-logging'),
  });
  const hidden = createHidden({ ...services, settings, url: site.url, isRunning, send: center.send });
  return {
    guards: [...tweaks.guards, hidden.guard],
    checks: [tweaks.check],
    pages: hidden.pages,
    end() {
      activity.end();
      hidden.end();
    },
  };
}
