// What extensions cannot be without: bundled ones name services that others provide, those of packages name other extensions.
import { fileErrorReason } from '#lib/file-error.ts';
import type { Reads } from '#store/handles.ts';
import type { Files } from '../files/files.ts';
import { ok, type Seen, wrong } from '../health/check.ts';
import { packageErrors } from './errors.ts';
import { faultOfCopy } from './keeping.ts';
import type { Manifest } from './manifest.ts';
import type { BundledCard, InstalledPackage } from './packages.ts';
import type { PackageTables } from './tables.ts';

/** An extension among others that are on. */
export interface Part {
  readonly slug: string;
  readonly name: string;
  readonly needs: readonly string[];
  readonly provides: readonly string[];
  /** Slugs. */
  readonly requires: readonly string[];
}

export const partOf = (one: BundledCard | InstalledPackage): Part =>
  'manifest' in one ? packedPart(one.manifest) : { ...one, requires: [] };

const packedPart = ({ slug, name, requires }: Manifest): Part => ({
  slug,
  name,
  needs: [],
  provides: [],
  requires: Object.keys(requires).filter((required) => required !== 'gatehouse'),
});

/** All that are on. */
export async function partsNow(db: Reads<PackageTables>, bundled: readonly BundledCard[]): Promise<Part[]> {
  const rows = await db.selectFrom('extensions').select(['slug', 'active', 'manifest']).execute();
  const said = new Map(rows.map(({ slug, active }) => [slug, active === 1]));
  const own = bundled.filter(({ slug, here, always, on }) => here && (always || (said.get(slug) ?? on)));
  const slugs = new Set(bundled.map(({ slug }) => slug));
  const packed = rows.filter(({ slug, active }) => active === 1 && !slugs.has(slug));
  return [
    ...own.map(partOf),
    ...packed.flatMap(({ manifest }) => (manifest === null ? [] : [packedPart(JSON.parse(manifest))])),
  ];
}

export const isAmong = (parts: readonly Part[], { slug }: Pick<Part, 'slug'>): boolean =>
  parts.some((other) => other.slug === slug);

/** Throws where what it cannot be without is off. */
export function refuseAlone(one: Part, running: readonly Part[]): void {
  const service = one.needs.find((name) => !running.some(({ provides }) => provides.includes(name)));
  const slug = one.requires.find((required) => !isAmong(running, { slug: required }));
  if (service !== undefined)
    throw packageErrors.extensionNeedsAnother(`${one.name} needs ${service}, which no active extension provides.`);
  if (slug !== undefined)
    throw packageErrors.extensionNeedsAnother(`${one.name} needs ${slug}. Turn on ${slug} first.`);
}

/** Throws where another one that is on cannot be without it. */
export function refuseNeeded(one: Part, running: readonly Part[]): void {
  const others = running.filter(({ slug }) => slug !== one.slug);
  const isWithout = (name: string) =>
    one.provides.includes(name) && !others.some(({ provides }) => provides.includes(name));
  const dependent = others.find(({ needs, requires }) => requires.includes(one.slug) || needs.some(isWithout));
  if (dependent === undefined) return;
  throw packageErrors.extensionIsNeeded(`${dependent.name} needs ${one.name}. Turn off ${dependent.slug} first.`);
}

/** Whether what is switched on can be used on this machine, found out without running or making anything. */
interface Where {
  /** The data folder. */
  readonly data: string;
  readonly files: Pick<Files, 'find'>;
}

/** By slug: why the files of one cannot be used here, and what helps. */
export async function faultsAmong(where: Where, installed: readonly InstalledPackage[]): Promise<Map<string, string>> {
  const on = installed.filter(({ active }) => active);
  const looked = await Promise.all(on.map(async (one) => [one.slug, await faultOf(where, one)] as const));
  return new Map(looked.flatMap(([slug, fault]) => (fault === undefined ? [] : [[slug, fault] as const])));
}

async function faultOf(where: Where, one: InstalledPackage): Promise<string | undefined> {
  try {
    return (await faultOfCopy(where, one))?.message;
  } catch (error) {
    const reason = fileErrorReason(error);
    return `The files of the extension ${one.slug} could not be checked${reason ? `: ${reason}` : ''}.`;
  }
}

/** For callers that look while no process serves. */
export async function installedSeen(where: Where, installed: readonly InstalledPackage[]): Promise<Seen> {
  const on = installed.filter(({ active }) => active).length;
  if (installed.length === 0) return ok('none');
  const faults = await faultsAmong(where, installed);
  if (faults.size === 0) return ok(`${installed.length}, ${on} of them on; all files are unchanged`);
  return wrong(`on, but not usable here: ${[...faults.keys()].join(', ')}`, [...faults.values()].join(' '));
}
