// The declaration of an extension that was installed from a package, and its tables.

import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inTime } from '#lib/concurrency.ts';
import { minute } from '#lib/spans.ts';
import { type AnyEntry, type Extension, routesOf, toolkit } from '#site/extension.ts';
import type { Manifest } from '#site/packages/manifest.ts';
import type { Extensions, InstalledPackage } from '#site/packages/packages.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { TableOwner } from '#store/migrate.ts';
import { packageOwner } from '#store/packaged.ts';
import type { AnyStore } from '#store/store.ts';
import type { ExtensionTimeouts } from './member.ts';

/** What the module of a package exports is not what its manifest says. */
export class UnfitPackage extends Error {}

interface Needs {
  readonly extensions: Pick<Extensions, 'unpacked'>;
  readonly store: Pick<AnyStore, 'adopt'>;
  readonly patience: Pick<ExtensionTimeouts, 'loads'>;
  readonly clock: Clock;
}

export interface Packages {
  /** Its declaration. Each version is loaded once: what was loaded stays in memory until the process ends. */
  load(one: InstalledPackage): Promise<Extension>;
  /** These are on now. What could not be loaded is tried again once it was off meanwhile. */
  on(all: readonly InstalledPackage[]): void;
  /** Brings its tables up to date; nothing is done to those of any other. */
  adopt(extension: Extension): Promise<void>;
}

export function createPackages({ extensions, store, patience: { loads }, clock }: Needs): Packages {
  const loaded = new Map<string, Extension>();
  const besides = new Map<Extension, readonly string[]>();
  /** A version that ran here runs again as it did, though a later one has left its tables meanwhile. */
  const adopted = new Set<Extension>();
  /** Each try takes its time, and what it loaded stays in memory: whatever else is switched meanwhile waits for none. */
  const failed = new Map<string, { readonly error: unknown; readonly until: number }>();
  const declared = async (one: InstalledPackage): Promise<Extension> => {
    const failure = failed.get(one.sha256);
    if (failure !== undefined && clock().getTime() < failure.until) throw failure.error;
    const entry = await extensions.unpacked(one);
    try {
      return await declarationIn(entry, one, loads);
    } catch (error) {
      failed.set(one.sha256, { error, until: clock().getTime() + minute });
      throw error;
    }
  };
  return {
    async load(one) {
      const extension = loaded.get(one.sha256) ?? (await declared(one));
      loaded.set(one.sha256, extension);
      besides.set(extension, one.beside);
      return extension;
    },
    on(all) {
      const now = new Set(all.map(({ sha256 }) => sha256));
      for (const sha256 of failed.keys()) if (!now.has(sha256)) failed.delete(sha256);
    },
    async adopt(extension) {
      const owner = ownerOf(extension);
      const beside = besides.get(extension);
      if (owner === undefined || beside === undefined || adopted.has(extension)) return;
      await store.adopt({ ...owner, beside });
      adopted.add(extension);
    },
  };
}

/** The declaration that this module makes, which is the one its manifest tells of. */
export async function declarationIn(
  entry: string,
  { manifest: { slug, namespaces, capabilities } }: Pick<InstalledPackage, 'manifest'>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Extension> {
  const { default: make } = (await moduleAt(entry, limit)) as { readonly default?: AnyEntry };
  if (typeof make !== 'function') throw new UnfitPackage('Its entry file must export a function as its default.');
  const extension = make(toolkit<never>());
  if (extension.name !== slug)
    throw new UnfitPackage(`It has the name ${String(extension.name)}, but its package has the slug ${slug}.`);
  if (extension.always) throw new UnfitPackage('An extension from a package cannot set `always`.');
  refuseMore('namespace', Object.keys(routesOf(extension)), namespaces);
  refuseMore('capability', extension.capabilities ?? [], capabilities);
  refuseForeign(extension);
  return extension;
}

/** What is said of tables decides what others are told of changes, and what a backup holds. */
function refuseForeign({ name, tables: { quiet = [], derived = {} } = { migrations: [] } }: Extension): void {
  const { prefix } = packageOwner(name);
  const foreign = [...quiet, ...Object.keys(derived)].find((table) => !table.startsWith(prefix));
  if (foreign === undefined) return;
  throw new UnfitPackage(`It names the table ${foreign}, but its table names must begin with ${prefix}.`);
}

function refuseMore(what: string, declared: readonly string[], told: readonly string[]): void {
  const more = declared.find((one) => !told.includes(one));
  if (more !== undefined) throw new UnfitPackage(`It declares the ${what} ${more}, which its manifest does not list.`);
}

export const ownerOf = ({ name, tables }: Extension): TableOwner | undefined =>
  tables && { ...tables, ...packageOwner(name) };

/** For whoever works with its tables alone. */
export const tablesOf = async (entry: string, manifest: Manifest): Promise<TableOwner | undefined> =>
  ownerOf(await declarationIn(entry, { manifest }));

// The runtime loads each module once and remembers how that ended. A package that failed to load may be tried again after its cause is
// mended, so its module, and every module that it loads, gets another address then. Modules of the program that a package loads by
// path are loaded a second time.

/** How often each module could not be loaded. */
const failures = new Map<string, number>();
const again = 'gatehouse-again';

async function moduleAt(path: string, limit: number): Promise<unknown> {
  const times = failures.get(path) ?? 0;
  const address = pathToFileURL(path);
  if (times > 0) address.searchParams.set(again, String(times));
  try {
    return await inTime(import(address.href), limit, () => new Error('It did not load within the time limit.'));
  } catch (error) {
    if (failures.size === 0) followAgain();
    failures.set(path, times + 1);
    throw error;
  }
}

function followAgain(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const times = context.parentURL === undefined ? null : triesIn(context.parentURL);
      if (times === null || !found.url.startsWith('file:')) return found;
      const url = new URL(found.url);
      url.searchParams.set(again, times);
      return { ...found, url: url.href };
    },
  });
}

const triesIn = (address: string): string | null =>
  address.includes(again) ? new URL(address).searchParams.get(again) : null;
