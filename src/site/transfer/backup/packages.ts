// Packages whose tables an archive holds. How these tables look, and what follows once they are put back, is said by the package
// alone; so its code is loaded, as when the site starts.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileErrorReason } from '#lib/file-error.ts';
import { day } from '#lib/spans.ts';
import type { TableOwner } from '#store/migrate.ts';
import { packageOwner, slugOf } from '#store/packaged.ts';
import { plannedTables } from '#store/planned.ts';
import type { Snapshot } from '#store/snapshot.ts';
import type { Files } from '../../files/files.ts';
import { packageLimits } from '../../packages/archive.ts';
import { packagePath } from '../../packages/keeping.ts';
import { isSlug, type Manifest } from '../../packages/manifest.ts';
import { unpack } from '../../packages/unpacking.ts';
import { removedWhenStopped, sweepTemporary } from '../../platform/temporary.ts';
import type { Row } from './rows.ts';

export interface Package {
  readonly slug: string;
  readonly sha256: string;
}

/** What the module at this path says of its tables. */
export type Declared = (entry: string, manifest: Manifest) => Promise<TableOwner | undefined>;

export interface Workshop {
  readonly declared: Declared;
  /** Nobody else's, made when it is first asked for. What is loaded lies in it until the work is done. */
  readonly folder: () => Promise<string>;
}

const folders = 'gatehouse-packages-';

export async function inWorkshop<R>(declared: Declared, work: (workshop: Workshop) => Promise<R>): Promise<R> {
  let made: Promise<string> | undefined;
  let forget = (): void => {};
  const make = async (): Promise<string> => {
    // Longer than any backup takes.
    await sweepTemporary(folders, day);
    const path = await mkdtemp(join(tmpdir(), folders));
    forget = removedWhenStopped(path);
    return path;
  };
  const folder = (): Promise<string> => {
    made ??= make();
    return made;
  };
  try {
    return await work({ declared, folder });
  } finally {
    await made?.then((path) => rm(path, { recursive: true, force: true })).catch(() => {});
    forget();
  }
}

/** One that is installed, of a row of `extensions`. Those that come with the program have such rows, too. */
export function packageIn({ slug, sha256 }: Row): Package | undefined {
  if (typeof slug !== 'string' || typeof sha256 !== 'string') return undefined;
  return isSlug(slug) && /^[0-9a-f]{64}$/.test(sha256) ? { slug, sha256 } : undefined;
}

const zipOf = async ({ folder }: Workshop, { slug, sha256 }: Package): Promise<string> =>
  join(await folder(), `${slug}-${sha256}.zip`);

/** Puts the package into the workshop. What was there is replaced. */
export const bring = async (workshop: Workshop, one: Package, content: AsyncIterable<Uint8Array>): Promise<void> =>
  pipeline(content, createWriteStream(await zipOf(workshop, one), { mode: 0o600 }));

/** The same from among the files of a site. */
export async function fetchFrom(files: Files, workshop: Workshop, one: Package): Promise<void> {
  const opened = await files.open(packagePath(one));
  if (opened === undefined) throw new Error('its package is not among the files of the site');
  if (opened.size > packageLimits.packed) {
    opened.stream.destroy();
    throw new Error('its package is larger than the limit');
  }
  await bring(workshop, one, opened.stream);
}

/** The owner of the tables of what was brought; or throws what is the matter with it. */
export async function ownerOf(workshop: Workshop, one: Package): Promise<TableOwner> {
  const { slug, sha256 } = one;
  const [zip, folder] = [await zipOf(workshop, one), join(await workshop.folder(), slug)];
  if ((await hashOf(zip)) !== sha256) throw new Error('its package differs from the installed package');
  const { manifest } = await unpack(zip, folder);
  if (manifest.slug !== slug) throw new Error(`its package is that of ${manifest.slug}`);
  const owner = await workshop.declared(join(folder, manifest.entry), manifest);
  if (owner === undefined) throw new Error('it no longer has tables');
  const migrations = owner.migrations.map(({ name }) => ({ owner: owner.owner, name }));
  await plannedTables([owner], migrations); // throws what would be in the way later
  return owner;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** For the end of a sentence. */
export const reason = (error: unknown): string =>
  fileErrorReason(error) ?? (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

/** Those whose tables are in the database, and whether they are installed. */
export async function packagesIn(snapshot: Snapshot): Promise<{ owner: string; package: Package | undefined }[]> {
  const slugs = snapshot.strangers.flatMap((owner) => slugOf(owner) ?? []);
  const installed = slugs.length === 0 ? [] : await installedIn(snapshot);
  return slugs.map((slug) => ({ ...packageOwner(slug), package: installed.find((one) => one.slug === slug) }));
}

async function installedIn({ tables, rows }: Snapshot): Promise<Package[]> {
  const found: Package[] = [];
  const table = tables.find(({ name }) => name === 'extensions');
  if (table !== undefined) for await (const row of rows(table)) found.push(...[packageIn(row) ?? []].flat());
  return found;
}

export interface Loaded {
  readonly owners: readonly TableOwner[];
  /** Why not, of those that are not among them, by owner. */
  readonly absent: ReadonlyMap<string, string>;
}

/** As many as can be loaded, one after the other. */
export async function loadPackages(
  all: Awaited<ReturnType<typeof packagesIn>>,
  files: () => Promise<Files | undefined>,
  workshop: Workshop,
): Promise<Loaded> {
  const owners: TableOwner[] = [];
  const absent = new Map<string, string>();
  let opened: Promise<Files | undefined> | undefined;
  for (const { owner, package: one } of all) {
    try {
      opened ??= files();
      owners.push(await loaded(one, await opened, workshop));
    } catch (error) {
      absent.set(owner, reason(error));
    }
  }
  return { owners, absent };
}

async function loaded(one: Package | undefined, files: Files | undefined, workshop: Workshop): Promise<TableOwner> {
  if (one === undefined) throw new Error('it is not installed');
  if (files === undefined) throw new Error('its package is not among the files of the site');
  await fetchFrom(files, workshop, one);
  return ownerOf(workshop, one);
}
