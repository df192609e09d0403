// A catalogue as it is written: a JSON object that people can read, and that stays signed however it is laid out.
//
//   { "format": "gatehouse-catalogue-1", "issued": "2026-11-22T12:00:00.000Z", "entries": [ … ], "signature": "…" }
//
// What is signed (Ed25519, the signature in base64) is the text `gatehouse-catalogue-1`, a line feed, the date as it stands there with
// another line feed, and the entries as JSON without any space between, in UTF-8: of each entry its thirteen members in their order
// (`CatalogueEntry`), those of `requires` in the order of their names. So what is verified is exactly what is used, and anything
// else in the file is nothing. One that has no date is signed without that line: entries begin otherwise than any date.

import { dirname, join } from 'node:path';
import type { Catalogue as Place } from '#lib/operator.ts';
import { isVersion } from '#lib/version-number.ts';
import { isArchivePath } from '#lib/zip.ts';
import { packageLimits } from './archive.ts';
import { isLine, isSlug, type Manifest, requirementsIn } from './manifest.ts';
import { isSigned, type PackageFacts, sign } from './signature.ts';

const format = 'gatehouse-catalogue-1';
const mostEntries = 1000;

/** It cannot be used; the message is a sentence. */
export class BadCatalogue extends Error {}

export interface Issue {
  readonly entries: readonly CatalogueEntry[];
  /** When it was signed. */
  readonly issued: Date | undefined;
}

const signedBytes = (entries: readonly CatalogueEntry[], issued: string | undefined): Buffer =>
  Buffer.from(`${format}\n${issued === undefined ? '' : `${issued}\n`}${JSON.stringify(entries)}`);

/** In the order of their slugs. */
export function writeCatalogue(entries: readonly CatalogueEntry[], privateKey: string, at?: Date): string {
  const sorted = readEntries(entries.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)));
  const issued = at?.toISOString();
  const signature = sign(signedBytes(sorted, issued), privateKey);
  return `${JSON.stringify({ format, issued, entries: sorted, signature }, null, 2)}\n`;
}

export function readCatalogue(bytes: Uint8Array, publicKey: string | undefined): Issue {
  if (publicKey === undefined)
    throw new BadCatalogue('Its signature cannot be checked without a key. Set GATEHOUSE_CATALOGUE_KEY.');
  const said = objectOf(bytes);
  if (said.format !== format) throw new BadCatalogue('It is not a catalogue that this version can read.');
  const entries = readEntries(said.entries);
  const { issued, signature } = said;
  if (issued !== undefined && !isMoment(issued)) throw new BadCatalogue('Its date ("issued") is not valid.');
  if (typeof signature !== 'string' || !isSigned(signedBytes(entries, issued), signature, publicKey))
    throw new BadCatalogue('It is not signed with the key that this site trusts, or was changed after signing.');
  return { entries, issued: issued === undefined ? undefined : new Date(issued) };
}

/** As RFC 3339 writes it, in UTC. What no calendar has would be taken for another day. */
function isMoment(said: unknown): said is string {
  if (typeof said !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(said)) return false;
  const moment = new Date(said);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 19) === said.slice(0, 19);
}

/** Whoever signed it, and whatever is in it. */
export function isCatalogue(bytes: Uint8Array): boolean {
  try {
    return objectOf(bytes).format === format;
  } catch {
    return false;
  }
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof said === 'object' && said !== null) return { ...said };
  } catch {
    // Told below.
  }
  throw new BadCatalogue('It is not JSON.');
}

function readEntries(said: unknown): CatalogueEntry[] {
  if (!Array.isArray(said) || said.length > mostEntries)
    throw new BadCatalogue(`It has no list of entries, or more than ${mostEntries} entries.`);
  const entries = said.map((one, at) => {
    const entry = entryIn(one);
    if (typeof entry === 'string') throw new BadCatalogue(`Its entry ${at + 1} has no valid "${entry}".`);
    return entry;
  });
  if (new Set(entries.map(({ slug }) => slug)).size < entries.length)
    throw new BadCatalogue('It lists the same slug twice.');
  return entries;
}

/** One package as a catalogue lists it, and where it is fetched. */
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
type PackageSource = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'url'; readonly url: string };

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
function entryIn(said: unknown): CatalogueEntry | string {
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
