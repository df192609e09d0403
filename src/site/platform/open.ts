// What every room of the site stands on: its store, clock, log, keys, settings and events.
import type { Config } from '#config/config.ts';
import type { Roots } from '#kernel/faces.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import { createAbout, type Premises } from './about.ts';
import type { Clock } from './clock.ts';
import { createEntrance } from './entrance.ts';
import { createEvents } from './events.ts';
import { openKeys } from './keys.ts';
import { createRateLimits } from './rate-limits.ts';
import { createSeal } from './seal.ts';
import { createSettings } from './settings/settings.ts';
import { type SiteGroup, siteGroup } from './settings/site.ts';

export interface PlatformOptions {
  readonly config: Config & { readonly secret: string };
  readonly store: AnyStore;
  readonly clock: Clock;
  /** What whoever runs the site should know, and nobody else is told: no secret, no name of a person. */
  readonly log: Log;
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** `apart` runs listeners outside of the context of whatever raised the event. */
export async function openPlatform({ config, store, clock, log }: PlatformOptions, apart: <R>(work: () => R) => R) {
  const keys = await openKeys(store, config.secret, clock);
  const seal = createSeal(keys.encryption);
  const events = createEvents(
    (error, event) => log.error({ err: error, event }, 'The follow-up work of an event failed.'),
    apart,
  );
  const group = siteGroupOf(config);
  const settings = createSettings({ store, seal, events, log, groups: [group] });
  const site = premisesOf(config);
  const entrance = createEntrance();
  return {
    store,
    clock,
    log,
    keys,
    seal,
    events,
    settings,
    /** The settings of the site itself, to read and change by `settings`. */
    siteGroup: group,
    rateLimits: createRateLimits({ store, clock }),
    /** What stays as it is while the site runs, and what is so now. */
    site,
    about: createAbout(site, settings, group, entrance),
    /** Where people sign in. */
    entrance,
  };
}

export const siteGroupOf = ({ deployment, url }: Config): SiteGroup => siteGroup({ ...deployment.settings, url });

export const rootsOf = ({ url, apiPrefix }: Pick<Config, 'url' | 'apiPrefix'>): Roots => ({
  neutral: `${url}/${apiPrefix}`,
  classic: `${url}/wp-json`,
});

/** The index, as the site speaks to itself. */
export const indexOf = (config: Config): string => {
  const roots = rootsOf(config);
  return `${config.apiFaces === 'classic' ? roots.classic : roots.neutral}/`;
};

function premisesOf(config: Config): Premises {
  const { url, avatars, avatarBase, addresses, apiFaces } = config;
  const records = `${indexOf(config)}${apiFaces === 'classic' ? 'wp' : 'core'}/v2`;
  return { url, avatars, avatarBase, authorBase: addresses.author, records, roots: rootsOf(config) };
}
