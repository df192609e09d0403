// What a package says of itself, in `extension.json` at its root.
import { spellNamespace } from '#kernel/faces.ts';
import type { Problem } from '#kernel/problem.ts';
import { steers, trimmed } from '#lib/printable.ts';
import { isRange, isVersion, isWithin } from '#lib/version-number.ts';
import { isArchivePath } from '#lib/zip.ts';
import { packageErrors } from './errors.ts';

export interface Manifest {
  readonly slug: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** By name, in which versions what it cannot do without: `{ "gatehouse": ">=0.4.0" }`. */
  readonly requires: Readonly<Record<string, string>>;
  /** The module that is loaded, by its path in the package. */
  readonly entry: string;
  readonly namespaces: readonly string[];
  readonly capabilities: readonly string[];
}

export const manifestFile = 'extension.json';

const most = { bytes: 64 * 1024, name: 100, description: 1000, listed: 50, requires: 20, namespace: 100 };
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const namespacePattern = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*\/v[1-9]\d{0,3}$/;
const capabilityPattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

const wrong = (why: string): Problem =>
  packageErrors.invalidPackage(`The manifest of this package (${manifestFile}) ${why}.`);

export const isSlug = (text: string): boolean => text.length <= 64 && slugPattern.test(text);

export function readManifest(bytes: Uint8Array): Manifest {
  const said = objectOf(bytes);
  const manifest: Manifest = {
    slug: textOf(said, 'slug', 64),
    name: textOf(said, 'name', most.name),
    version: textOf(said, 'version', 140),
    description: 'description' in said ? textOf(said, 'description', most.description) : '',
    requires: requirementsOf(said),
    entry: textOf(said, 'entry', 120),
    namespaces: listOf(said, 'namespaces', namespacePattern, 'such as "guestbook/v1"'),
    capabilities: listOf(said, 'capabilities', capabilityPattern, 'such as "guestbook_write"'),
  };
  if (!isSlug(manifest.slug)) throw wrong('needs a "slug" of at most 64 lowercase letters, digits and single hyphens');
  if (!isVersion(manifest.version)) throw wrong('needs a "version" of three numbers, such as "1.0.0"');
  if (!/\.(?:ts|js|mjs)$/.test(manifest.entry) || !isArchivePath(manifest.entry))
    throw wrong('needs an "entry": the path of a .ts, .js or .mjs file of the package');
  return manifest;
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length > most.bytes) throw wrong(`is too large; the limit is ${most.bytes} bytes`);
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof said === 'object' && said !== null && !Array.isArray(said)) return { ...said };
  } catch {
    // Told below.
  }
  throw wrong('is not a JSON object in UTF-8');
}

function textOf(said: Record<string, unknown>, name: string, longest: number): string {
  const text = said[name];
  if (isLine(text, longest) && trimmed(text) !== '') return text;
  throw wrong(`needs "${name}": one line of text with at most ${longest} characters`);
}

/** What can be shown to people and in a log as it is. */
export const isLine = (text: unknown, longest: number): text is string =>
  typeof text === 'string' && text.length <= longest && !steers(text) && text.isWellFormed();

function listOf(said: Record<string, unknown>, name: string, pattern: RegExp, example: string): readonly string[] {
  const { [name]: list = [] } = said;
  const isFine = (one: unknown) => typeof one === 'string' && one.length <= most.namespace && pattern.test(one);
  if (!Array.isArray(list) || list.length > most.listed || !list.every(isFine) || new Set(list).size < list.length)
    throw wrong(`needs "${name}" to be a list of at most ${most.listed} different names, ${example}`);
  return list as string[];
}

function requirementsOf({ requires: given = {} }: Record<string, unknown>): Manifest['requires'] {
  const requires = requirementsIn(given);
  if (requires !== undefined) return requires;
  throw wrong('needs "requires" to give versions by name, such as { "gatehouse": ">=0.4.0" }');
}

/** As a manifest and a catalogue say them, in the order of the names; nothing when they say it wrongly. */
export function requirementsIn(said: unknown): Manifest['requires'] | undefined {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(said).sort(([a], [b]) => (a < b ? -1 : 1));
  const isFine = ([name, range]: readonly [string, unknown]) =>
    isSlug(name) && typeof range === 'string' && range.length <= 600 && isRange(range);
  if (entries.length > most.requires || !entries.every(isFine)) return undefined;
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Why what is there does not do, as a sentence; nothing when it does. `there` holds versions by name. */
export function unmet({ requires }: Pick<Manifest, 'requires'>, there: Readonly<Record<string, string>>) {
  const missing = Object.entries(requires).find(([name, range]) => !isWithin(there[name] ?? '', range));
  if (missing === undefined) return undefined;
  const [name, range] = missing;
  const has = Object.hasOwn(there, name) ? `this site has ${there[name]}` : 'this site does not have it';
  return `It needs ${name} ${range}, but ${has}.`;
}

/** Served by the program itself, whatever is switched on. */
const reserved = ['batch/v1'];

/** A package has its namespaces for itself. `taken` are those of the site, of bundled extensions and of other packages. */
export function refuseTaken({ namespaces }: Pick<Manifest, 'namespaces'>, taken: readonly string[]): void {
  const all = new Set([...reserved, ...taken, ...taken.map((one) => spellNamespace('classic', one))]);
  const clash = namespaces.find((one) => all.has(one));
  if (clash !== undefined) throw wrong(`asks for the namespace ${clash}, which is taken`);
}
