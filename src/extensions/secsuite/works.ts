// The modules that do one thing each, put together.
import { randomUUID } from 'node:crypto';
import type { Services } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import { createActivity } from './activity/activity.ts';
import { createBackups } from './backup/backups.ts';
import type { Authorised } from './client/authorised.ts';
import type { Errand } from './errands.ts';
import { createFileChange } from './file-change/file-change.ts';
import { placesOf } from './file-change/places.ts';
import type { Matchables } from './groups/matchables.ts';
import { createHidden } from './hide-backend/hide-backend.ts';
import { createLockResponse } from './lockouts/lock-response.ts';
import type { Purge } from './lockouts/purge.ts';
import type { Logs } from './logs/logs.ts';
import { createNetwork } from './network/network.ts';
import type { Center } from './notifications/center.ts';
import type { Settings } from './settings/types.ts';
import type { Switches } from './switches/types.ts';
import { createTweaks } from './tweaks/tweaks.ts';

interface Parts {
  readonly settings: Settings;
  readonly switches: Switches;
  readonly matchables: Pick<Matchables, 'matches'>;
  readonly authorised: Pick<Authorised, 'lets'>;
  readonly logs: Pick<Logs, 'write' | 'operation' | 'purge'>;
  readonly purgeLockouts: Purge;
  readonly center: Pick<Center, 'send'>;
  readonly erranding: Queue<{ readonly errand: Errand }>;
}

export function createWorks(services: Services, parts: Parts) {
  const { settings, switches, matchables, authorised, logs, center, purgeLockouts, erranding } = parts;
  const { identity, events, site, operator, program, jobs } = services;
  /** Switched off by the operator, the suite defends nothing. */
  const isRunning = (id: string): boolean => operator.security.suite && switches.isRunning(id);
  const tweaks = createTweaks({ ...services, settings, url: site.url, isRunning });
  const activity = createActivity({
    ...{ events, settings, switches, users: identity.users, matches: matchables.matches, log: logs.write },
    isRunning: () => isRunning('user-logging'),
  });
  const hidden = createHidden({ ...services, settings, url: site.url, isRunning, send: center.send });
  const network = createNetwork({
    ...{ ...services, settings, url: site.url, base: operator.security.blocklistUrl, log: logs.write },
    response: createLockResponse({ settings }),
    isRunning: () => isRunning('network-brute-force'),
    lets: authorised.lets,
  });
  const backups = createBackups({
    ...{ ...services, settings, send: center.send, log: logs.write, version: program.version, unique: randomUUID },
    isRunning: () => switches.isRunning('backup'),
  });
  const fileChange = createFileChange({
    ...{ ...services, settings, logs, send: center.send, places: placesOf(operator.data) },
    version: program.version,
    isRunning: () => switches.isRunning('file-change'),
  });
  const errands: Readonly<Record<Errand, (signal: AbortSignal) => Promise<void>>> = {
    'file-change': fileChange.scan,
    backup: backups.make,
    'purge-lockouts': async (signal) => void (await purgeLockouts(signal)),
    'purge-log-entries': async (signal) => void (await logs.purge(signal)),
  };
  const later = (errand: Errand) => erranding.add({ errand }, { key: errand });
  /** The one that waits, or one that is taken back before it begins. */
  const never = async (errand: Errand) => void (await jobs.cancel(await later(errand)));
  switches.onSwitched('file-change', {
    activated: async () => void (await later('file-change')),
    deactivated: () => never('file-change'),
  });
  switches.onSwitched('backup', { deactivated: () => never('backup') });
  return {
    /** What is due of this. */
    async errandLater(errand: Errand): Promise<void> {
      const isDue: Partial<Record<Errand, () => boolean>> = {
        backup: backups.isDue,
        'file-change': () => switches.isRunning('file-change'),
      };
      if (isDue[errand]?.() ?? true) await later(errand);
    },
    means: fileChange.means,
    runErrand: (errand: Errand, signal: AbortSignal): Promise<void> => errands[errand](signal),
    guards: [...tweaks.guards, hidden.guard],
    checks: [tweaks.check, network.check],
    /** An address was locked out. */
    reported: network.reported,
    pages: hidden.pages,
    end() {
      activity.end();
      hidden.end();
    },
  };
}
