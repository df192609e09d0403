// What is looked at to tell whether the site is well, and how much room it takes.
import type { Config } from '#config/config.ts';
import type { Files } from '../files/files.ts';
import type { Clients } from '../identity/clients.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { OwnSite } from '../outgoing/own-site.ts';
import { indexOf, type Platform } from '../platform/open.ts';
import { watchClock } from './clock.ts';
import { createHealth } from './health.ts';
import { bound, ofInstallation, ofServing, ofStore } from './own.ts';
import { createMeasuring } from './sizes.ts';

interface HealthNeeds extends Platform {
  readonly jobs: Jobs;
  readonly files: Files;
  readonly outgoing: Outgoing;
  readonly ownSite: OwnSite;
  readonly clients: Clients;
}

export function openHealth(needs: HealthNeeds, config: Config) {
  const { store, clock, settings, jobs, files, outgoing, ownSite: own, clients } = needs;
  const stored = {
    installation: config,
    store,
    clock,
    get groups() {
      return settings.groups;
    },
  };
  const addresses = { index: indexOf(config), front: `${config.url}/` };
  const health = createHealth({ clock });
  health.also([
    ...bound(ofInstallation, { installation: config, own, clock }),
    ...bound(ofStore, stored),
    ...bound(ofServing, { stored, jobs, own, outgoing, addresses, clients, remotes: health.remotes }),
  ]);
  watchClock(needs);
  const { data, media } = config;
  const apart = media.kind === 'folder' ? [data, media.path] : [data];
  return { health, sizes: createMeasuring({ store, files, clock, apart }) };
}
