// An extension is fetched, looked at and kept. Its row is written last: before that nothing of it is anybody's, and whatever fails
// leaves nothing.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { flag, instant } from '#store/columns.ts';
import type { Doing } from '../identity/doing.ts';
import { nobodys } from '../identity/users/user.ts';
import { refusing } from '../outgoing/outgoing.ts';
import type { Catalogue } from './catalogue.ts';
import type { Listed } from './catalogue-document.ts';
import { packageErrors } from './errors.ts';
import { copyFolder, inWorkshop, onDisk, packagePath, placeCopy } from './keeping.ts';
import { refuseTaken } from './manifest.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { findPackage, type InstalledPackage, listCards } from './packages.ts';
import { notOffered, refuseUnmet, unknown } from './refusals.ts';
import { isPackageSigned } from './signature.ts';
import { alone, type Mine, sweepPackages } from './sweeping.ts';
import { type Unpacked, unpack } from './unpacking.ts';

export interface InstallNeeds extends ExtensionsNeeds {
  readonly catalogue: Catalogue;
}

/** Whether it was installed now: it may have been already. */
export async function installPackage(needs: InstallNeeds, slug: string, doing: Doing): Promise<boolean> {
  const { store, catalogue, bundled, operator } = needs;
  const entry = await catalogue.findFree(slug);
  if (bundled.some((one) => one.slug === slug)) throw unknown(slug, bundled);
  if (entry === undefined)
    throw notOffered(operator, `The catalogue of this site has no extension ${slug} to install.`);
  refuseFixed(operator);
  return alone(needs, slug, async (mine) => {
    if ((await findPackage(store.db, slug)) !== undefined) return false;
    const at = { doing, mine };
    await brought(needs, entry, at, (one) => written(needs, one, at));
    return true;
  });
}

export function refuseFixed({ fileMods }: InstallNeeds['operator']): void {
  if (fileMods) return;
  throw packageErrors.fileModsDisabled();
}

/** For whom, and whether it is still theirs to do. */
export interface At {
  readonly doing: Doing;
  readonly mine: Mine;
}

/** Fetched, looked at and kept; `settle` makes it somebody's. */
export async function brought(
  needs: InstallNeeds,
  entry: Listed,
  { mine }: At,
  settle: (one: InstalledPackage) => Promise<void>,
): Promise<void> {
  const { data, log } = needs;
  await sweepPackages(needs).catch((error) =>
    log.warn({ err: error }, 'Files of removed extensions could not be deleted.'),
  );
  await inWorkshop(data, (workshop) => fetched(needs, entry, { workshop, mine }, settle));
}

async function fetched(
  needs: InstallNeeds,
  entry: Listed,
  { workshop, mine }: { readonly workshop: string; readonly mine: Mine },
  settle: (one: InstalledPackage) => Promise<void>,
): Promise<void> {
  const [packed, folder] = [join(workshop, 'package.zip'), join(workshop, 'files')];
  await download(needs, entry, packed);
  const unpacked = await onDisk(unpack(packed, folder));
  await refuseUnfit(needs, entry, unpacked);
  try {
    await onDisk(placeCopy(folder, copyFolder(needs.data, entry), unpacked.files));
    await onDisk(needs.files.adopt(packagePath(entry), packed, { type: 'application/zip' }));
    const { slug, version, sha256, size } = entry;
    await settle({ slug, version, sha256, size, active: false, beside: [], ...unpacked });
  } catch (error) {
    await undone(needs, entry, mine);
    throw error;
  }
}

async function refuseUnfit(
  { store, bundled, version }: InstallNeeds,
  entry: Listed,
  { manifest }: Unpacked,
): Promise<void> {
  if (manifest.slug !== entry.slug || manifest.version !== entry.version)
    throw packageErrors.invalidPackage(
      `The package is ${manifest.slug} ${manifest.version}, but the catalogue lists another version.`,
    );
  const cards = (await listCards(store.db, bundled)).filter(({ slug }) => slug !== entry.slug);
  refuseTaken(
    manifest,
    [...bundled, ...cards].flatMap(({ namespaces }) => namespaces),
  );
  refuseUnmet(manifest, cards, version);
  refuseUnmet(entry, cards, version);
}

/** What is written down of one, but for whether it is on. */
export const rowOf = ({ clock }: InstallNeeds, one: InstalledPackage, { by = nobodys }: Doing) => ({
  version: one.version,
  sha256: one.sha256,
  size: one.size,
  manifest: JSON.stringify(one.manifest),
  files: JSON.stringify(one.files),
  beside: one.beside.length === 0 ? null : JSON.stringify(one.beside),
  earlier: null,
  installed_at: instant(clock()),
  installed_by: by,
});

async function written(needs: InstallNeeds, one: InstalledPackage, { doing, mine }: At): Promise<void> {
  const row = { slug: one.slug, active: flag(false), ...rowOf(needs, one, doing) };
  await needs.store.write(async (tx) => {
    await doing.again?.(tx, undefined);
    await mine(tx);
    await tx.insertInto('extensions').values(row).execute();
  });
}

/** Unless somebody else is at it by now, or it was written after all. What is left then is swept with the next install. */
async function undone({ store, data, files }: InstallNeeds, entry: Listed, mine: Mine): Promise<void> {
  const isLeft = await store
    .write(async (tx) => {
      await mine(tx);
      return (await findPackage(tx, entry.slug))?.sha256 !== entry.sha256;
    })
    .catch(() => false);
  if (!isLeft) return;
  await rm(copyFolder(data, entry), { recursive: true, force: true }).catch(() => {});
  await files.erase(packagePath(entry)).catch(() => {});
}

// A download must match the size and the hash in the catalogue, because the signature of the catalogue covers both.

type Needs = Pick<ExtensionsNeeds, 'outgoing' | 'operator'>;

/** Puts it into this file. Whatever is not as promised is refused. */
async function download({ outgoing, operator }: Needs, entry: Listed, into: string): Promise<void> {
  const body = await bodyOf(entry, outgoing).catch(refusing('download_failed'));
  const handle = await onDisk(open(into, 'wx', 0o600));
  const { size, sha256 } = await poured(body, handle, entry.size)
    .catch(refusing('download_failed'))
    .finally(() => handle.close());
  if (size !== entry.size) throw failed(`The package of ${entry.slug} has another size than the catalogue says.`);
  if (sha256 !== entry.sha256)
    throw packageErrors.integrityFailed(`The checksum of the package of ${entry.slug} differs from the catalogue.`);
  if (!isPackageSigned(entry, entry.signature, operator.catalogueKey ?? ''))
    throw packageErrors.integrityFailed(
      `The package of ${entry.slug} is not signed by the publisher of the catalogue.`,
    );
}

async function bodyOf({ source, size }: Listed, outgoing: Needs['outgoing']): Promise<AsyncIterable<Uint8Array>> {
  if (source.kind === 'file') return localFile(source.path);
  const purpose = { name: 'extension', types: ['*'], most: size, within: minute };
  return (await outgoing.fetch(source.url, purpose)).body;
}

async function* localFile(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (cause) {
    throw failed('The package beside the catalogue cannot be read.', cause);
  }
}

async function poured(body: AsyncIterable<Uint8Array>, handle: FileHandle, most: number) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) break;
    hash.update(piece);
    await onDisk(handle.writeFile(piece));
  }
  await onDisk(handle.sync());
  return { size, sha256: hash.digest('hex') };
}

const failed = (why: string, cause?: unknown): Problem => packageErrors.downloadFailed(why).because(cause);
