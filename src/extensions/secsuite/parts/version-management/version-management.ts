// What is installed, and old installations that were left behind.

import { day, second } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { suiteErrors } from '../../errors.ts';
import type { Event } from '../../logs/entry.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Settings } from '../../settings/types.ts';
import type { Inventory, Software } from '../../software/inventory.ts';
import { oldestOfEach } from '../../software/inventory.ts';
import { isOutdated, type Release } from '../../software/releases.ts';
import { type AutomaticUpdates, noteSightings } from './automatic-updates.ts';
import { describeSite, findSites, idOf, searchLimits } from './old-sites.ts';
import type { Sightings } from './plan.ts';

export interface OldSite {
  readonly id: string;
  readonly path: string;
  readonly version: string;
  readonly muted: boolean;
}

export interface ListedSoftware extends Software {
  /** Why the newer version is not installed yet. */
  readonly heldBack: string | null;
}

export interface VersionManagement {
  packages(): Promise<readonly ListedSoftware[]>;
  /** Answers within 30 seconds with what was found until then; a longer scan goes on as a job. */
  scan(): Promise<readonly OldSite[]>;
  /** The scan in the background. If the daily scan is turned on, it mails the sites that are not muted. */
  scanAndMail(signal: AbortSignal): Promise<void>;
  mute(id: string, isMuted: boolean): Promise<OldSite>;
  /** Keeps whether the software of this site is out of date: two-factor authentication can then be required. */
  noteOutdated(): Promise<void>;
}

interface VersionDeps {
  readonly clock: Clock;
  readonly inventory: Inventory;
  readonly updates: Pick<AutomaticUpdates, 'heldBack'>;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly roots: readonly string[];
  /** The folder of the program. */
  readonly own: string;
  /** Of the program. */
  readonly version: string;
  releases(): Promise<readonly Release[]>;
  log(event: Event): void;
  send: Send;
  /** Has a job scan to the end. */
  scanLater(): Promise<unknown>;
}

const id = 'version-management';
/** How long a request waits for a scan, in milliseconds. */
const patience = 30_000;
/** How old the last answer of the catalogue may be. */
const catalogueAge = 60 * 60 * 1_000;
/** An update that waits longer is overdue. */
const updateWithin = 30 * day;

export function createVersionManagement(deps: VersionDeps): VersionManagement {
  const { clock, inventory, updates, settings, roots, own, releases, send, log } = deps;
  const sites = (): OldSite[] =>
    Object.entries(settings.of(id).old_site_details.sites ?? {})
      .filter(([, site]) => site.is_outdated)
      .map(([path, { version = '', is_muted = false }]) => ({ id: idOf(path), path, version, muted: is_muted }));

  const scan = async (signal: AbortSignal): Promise<readonly OldSite[]> => {
    const [found, known] = await Promise.all([findSites({ roots, own, limits: searchLimits, signal }), releases()]);
    const now = clock().getTime();
    await settings.keep(id, ({ old_site_details: { sites: before = {} } }) => ({
      old_site_details: {
        last_scan: Math.floor(now / 1_000),
        sites: {
          // A scan that was broken off has not looked everywhere.
          ...(signal.aborted && before),
          ...Object.fromEntries(
            found.map(({ path, version }) => [
              path,
              { version, is_outdated: isOutdated(version, known, now), is_muted: before[path]?.is_muted ?? false },
            ]),
          ),
        },
      },
    }));
    return sites();
  };

  return {
    async packages() {
      const all = oldestOfEach(await inventory.list(catalogueAge));
      const held = await updates.heldBack(all);
      return all.map((one) => ({ ...one, heldBack: held.get(one.id) ?? null }));
    },
    async scan() {
      const signal = AbortSignal.timeout(patience);
      const found = await scan(signal);
      if (signal.aborted) await deps.scanLater();
      return found;
    },
    async scanAndMail(signal) {
      const found = (await scan(signal)).filter(({ muted }) => !muted);
      signal.throwIfAborted();
      if (found.length === 0 || !settings.of(id).scan_for_old_sites) return;
      log({ module: 'version_management', code: `old-sites::${found.length}`, type: 'warning', data: { found } });
      const lines = found.map(({ path, version }) => `${path}\n${describeSite(version)}`);
      const text = ['Old sites on your server can be attacked, and your site with them.', ...lines].join('\n\n');
      // The failure is in the security log.
      await send('old-site-scan', { text }).catch(() => {});
    },
    noteOutdated: () => noteOutdated(deps),
    async mute(site, isMuted) {
      const before = sites().find((one) => one.id === site);
      if (before === undefined) throw suiteErrors.notFound(`Old site ${site}`);
      await settings.keep(id, ({ old_site_details: { last_scan = 0, sites: all = {} } }) => {
        const kept = all[before.path];
        return {
          old_site_details: {
            last_scan,
            sites: kept === undefined ? all : { ...all, [before.path]: { ...kept, is_muted: isMuted } },
          },
        };
      });
      return { ...before, muted: isMuted };
    },
  };
}

async function noteOutdated({ clock, inventory, settings, version, releases }: VersionDeps): Promise<void> {
  const now = clock().getTime();
  await noteSightings(settings, await inventory.list(catalogueAge), now);
  const { first_seen, is_software_outdated: before } = settings.of(id);
  const seen = Object.values((first_seen.plugin ?? {}) as Sightings).flatMap((one) => Object.values(one));
  const isOverdue = seen.some((at) => now - at * second > updateWithin);
  const is_software_outdated = isOverdue || isOutdated(version, await releases(), now);
  if (is_software_outdated !== before) await settings.keep(id, { is_software_outdated });
}
