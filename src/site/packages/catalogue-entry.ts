// One package as a catalogue lists it, and where it is fetched.
import { dirname, join } from 'node:path';
import type { Catalogue as Place } from '#lib/operator.ts';
import { isVersion } from '#lib/version-number.ts';
import { isArchivePath } from '#lib/zip.ts';
import { packageLimits } from './archive.ts';
import { isLine, isSlug, type Manifest, requirementsIn } from './manifest.ts';
import type { PackageFacts } from './signature.ts';

export interface CatalogueEntry extends PackageFacts {
  readonly name: string;
  readonly description: string;
  /** Only what is free can be installed here. */
  readonly type: 'free' | 'pro';
  /** Its slug and its entry: `guestbook/extension.ts`. */
  readonly path: string;
  /** `https://`, or empty. */
  readonly logo: string;
  readonly url: string;
  /** `https://`, or relative to the catalogue. Of what is not free all about the package may be empty, and 0. */
  readonly download_url: string;
  /** In base64. */
  readonly signature: string;
  readonly requires: Manifest['requires'];
}

/** Where a package is fetched: beside the catalogue on this machine, or from an address, through the guard. */
export type PackageSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

export interface Listed extends CatalogueEntry {
  readonly source: PackageSource;
}

type Check = (value: unknown) => boolean;

const longest = { name: 100, description: 1000, address: 500 };
const text =
  (most: number): Check =>
  (value) =>
    isLine(value, most);

const isAddress: Check = (value) =>
  isLine(value, longest.address) && /^https:\/\/[^\s@]+$/.test(value) && URL.canParse(value);
const isEmpty: Check = (value) => value === '';
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

/** In the order in which they are signed. */
const members: { readonly [M in keyof CatalogueEntry]-?: Check } = {
  slug: (value) => typeof value === 'string' && isSlug(value),
  name: text(longest.name),
  version: (value) => typeof value === 'string' && isVersion(value),
  description: text(longest.description),
  type: matching(/^(?:free|pro)$/),
  path: (value) => typeof value === 'string' && isArchivePath(value),
  logo: either(isEmpty, isAddress),
  url: either(isEmpty, isAddress),
  download_url: either(isAddress, (value) => typeof value === 'string' && isArchivePath(value)),
  size: (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= packageLimits.packed,
  sha256: matching(/^[0-9a-f]{64}$/),
  signature: matching(/^[A-Za-z0-9+/]{86}==$/),
  requires: (value) => requirementsIn(value) !== undefined,
};

const ofPackage: Readonly<Record<string, unknown>> = { download_url: '', size: 0, sha256: '', signature: '' };

/** The entry, its members in their order, and none beside them; else the name of the member that is wrong. */
export function entryIn(said: unknown): CatalogueEntry | string {
  if (typeof said !== 'object' || said === null) return 'entries';
  const given = new Map(Object.entries(said));
  const isSpared = (name: string) => given.get('type') === 'pro' && given.get(name) === ofPackage[name];
  const wrong = Object.entries(members).find(([name, isFine]) => !isFine(given.get(name)) && !isSpared(name));
  if (wrong !== undefined) return wrong[0];
  const entry = Object.fromEntries(Object.keys(members).map((name) => [name, given.get(name)]));
  return { ...entry, requires: requirementsIn(given.get('requires')) } as CatalogueEntry;
}

export function sourceOf({ download_url: where }: CatalogueEntry, place: Place): PackageSource {
  if (where.startsWith('https://')) return { kind: 'url', url: where };
  if (place.kind === 'file') return { kind: 'file', path: join(dirname(place.path), where) };
  return { kind: 'url', url: new URL(where.split('/').map(encodeURIComponent).join('/'), place.url).href };
}
