// Where packages are kept: as they came, among the files of the site for every process, and unpacked in the data folder of each
// machine. A copy is whole or not there: it is made under another name, in a workshop of its own.
import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { makeFolder } from '#store/folder.ts';
import type { Files } from '../files/files.ts';
import { faultOf } from '../files/local/ground.ts';
import { isGone, thisProcess } from '../platform/leases.ts';
import { packageErrors } from './errors.ts';
import type { InstalledPackage } from './packages.ts';
import { absent, another, changedIn } from './refusals.ts';
import { type PackedFile, unpack, verifyUnpacked } from './unpacking.ts';

export type Named = Pick<InstalledPackage, 'slug' | 'sha256'>;

/** Nothing in a folder with such a name is ever shown to anybody. */
export const packagesFolder = '.extensions/';

export const packagePath = ({ slug, sha256 }: Named): string => `${packagesFolder}${slug}/${sha256}.zip`;

export const copiesFolder = (data: string): string => join(data, 'extensions');

export const copyName = ({ slug, sha256 }: Named): string => `${slug}-${sha256.slice(0, 16)}`;

export const slugOfCopy = (name: string): string => name.replace(/-[0-9a-f]{16}$/, '');

export const copyFolder = (data: string, one: Named): string => join(copiesFolder(data), copyName(one));

/** What such a folder holds is somebody's who is still at work, or died. */
export const workshops = '.new-';

const workshopName = (): string => `${workshops}${randomUUID()} ${thisProcess()}`;

export const isAbandoned = (name: string): boolean => isGone(name.slice(name.indexOf(' ') + 1));

/** Does it, and says what the disk said in a word that callers know. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const cause = faultOf(error, 'written');
    const isOfDisk = cause !== error || cause instanceof Unavailable || cause instanceof OutOfSpace;
    if (!isOfDisk) throw error;
    const why = cause instanceof OutOfSpace ? 'The disk is full' : 'The disk is not writable at the moment';
    throw packageErrors.filesystemError(why).because(cause);
  }
}

/** A folder of its own, gone with all that is in it once the work is done. */
export async function inWorkshop<R>(data: string, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = join(copiesFolder(data), workshopName());
  await onDisk(made(copiesFolder(data), folder));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function made(copies: string, folder: string): Promise<void> {
  makeFolder(copies);
  await mkdir(folder, { mode: 0o700 });
}

/** Gives what was unpacked its name. Another process may have been first: then that is the copy. */
export async function placeCopy(from: string, to: string, files: readonly PackedFile[]): Promise<void> {
  for (const { path } of files) await settled(join(from, path));
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await isFolder(to))) throw error;
    if (await verifyUnpacked(to, files)) return;
    await rm(to, { recursive: true, force: true });
    await rename(from, to);
  }
}

/** After a power cut there is all of it. */
async function settled(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;

/** The entry of this machine's copy, after every file of it was looked at. */
export async function unpackedCopy(
  { data, files }: { readonly data: string; readonly files: Pick<Files, 'open'> },
  one: InstalledPackage,
): Promise<string> {
  const folder = copyFolder(data, one);
  if (!(await isFolder(folder))) await inWorkshop(data, (workshop) => copied(files, one, workshop, folder));
  if (!(await verifyUnpacked(folder, one.files))) throw changed(one);
  return join(folder, one.manifest.entry);
}

/** Why there is no such copy, nor could one be made, as `unpackedCopy` would throw it. Nothing is made. */
export async function faultOfCopy(
  { data, files }: { readonly data: string; readonly files: Pick<Files, 'find'> },
  one: InstalledPackage,
): Promise<Problem | undefined> {
  const folder = copyFolder(data, one);
  if (await isFolder(folder)) return (await verifyUnpacked(folder, one.files)) ? undefined : changed(one);
  return (await files.find(packagePath(one))) === undefined ? absent(one) : undefined;
}

async function copied(files: Pick<Files, 'open'>, one: InstalledPackage, workshop: string, to: string): Promise<void> {
  const packed = join(workshop, 'package.zip');
  const from = await onDisk(files.open(packagePath(one)));
  if (from === undefined) throw absent(one);
  const hash = createHash('sha256');
  const handle = await onDisk(open(packed, 'wx', 0o600));
  await onDisk(
    pipeline(
      from.stream,
      async function* (pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          hash.update(piece);
          yield piece;
        }
      },
      handle.createWriteStream(),
    ),
  );
  if (hash.digest('hex') !== one.sha256) throw another(one);
  const unpacked = join(workshop, 'files');
  const { files: made } = await onDisk(unpack(packed, unpacked));
  if (!(await verifyUnpacked(unpacked, one.files))) throw another(one);
  await onDisk(placeCopy(unpacked, to, made));
}

const changed = (one: InstalledPackage): Problem => changedIn(one.slug, `extensions/${copyName(one)}`);

/** The names of all copies and workshops of this machine. */
export const copiesOn = (data: string): Promise<string[]> => readdir(copiesFolder(data)).catch(() => []);
