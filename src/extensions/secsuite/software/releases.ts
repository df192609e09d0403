// Releases of Gatehouse, and whether a version is outdated by them.
import { join } from 'node:path';
import { day } from '#lib/spans.ts';
import { compareVersions, isVersion } from '#lib/version-number.ts';
import { readText } from '../disk/reading.ts';

export interface Release {
  readonly version: string;
  /** In milliseconds since 1970. */
  readonly date: number;
}

/** How long a version may lag behind the latest one. */
const grace = 30 * day;

/** The list of changes names each release with its date: `## 0.6.0, 23 November 2026`. */
export const releasesIn = (changes: string): Release[] =>
  [...changes.matchAll(/^## (\d+\.\d+\.\d+), (\d{1,2} \w+ \d{4})$/gm)]
    .map(([, version = '', date]) => ({ version, date: Date.parse(`${date} UTC`) }))
    .filter(({ date }) => Number.isFinite(date));

/** Empty if the program was installed without its list of changes. */
export const readReleases = async (root: string): Promise<Release[]> =>
  releasesIn((await readText(join(root, 'CHANGELOG.md'), 4 * 1024 * 1024)) ?? '');

const seriesOf = (version: string): string => version.split('.').slice(0, 2).join('.');

/** Whether an installation of this version was left behind. */
export function isOutdated(version: string, releases: readonly Release[], now: number): boolean {
  if (!isVersion(version)) return true;
  const sorted = releases.toSorted((a, b) => compareVersions(b.version, a.version));
  const [latest, previous] = sorted;
  if (latest === undefined || compareVersions(version, latest.version) >= 0) return false;
  if (version === previous?.version && now - latest.date < grace) return false;
  const known = sorted.find((one) => one.version === version);
  // Below the latest and not on the list: presumed forged.
  if (known === undefined) return true;
  if (latest.date - known.date >= grace) return true;
  const newest = seriesOf(latest.version);
  const begun = Math.min(...sorted.filter((one) => seriesOf(one.version) === newest).map(({ date }) => date));
  return seriesOf(version) !== newest && now - begun >= grace;
}
