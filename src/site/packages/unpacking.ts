// A package becomes files of a folder, or nothing at all.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ZipEntry } from '#lib/zip-reading.ts';
import { type Archive, openPackage } from './archive.ts';
import { packageErrors } from './errors.ts';
import { type Manifest, manifestFile, readManifest } from './manifest.ts';

export interface PackedFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export interface Unpacked {
  readonly manifest: Manifest;
  /** All of them, in the order of their paths. */
  readonly files: readonly PackedFile[];
}

/**
 * Makes the folder `into`, which must not be there yet. What is no proper package is refused with `invalid_package`, and then the
 * folder is gone again; what the file system refuses is thrown as it is.
 */
export async function unpack(zipFile: string, into: string): Promise<Unpacked> {
  const archive = await openPackage(zipFile);
  try {
    await mkdir(into, { mode: 0o700 });
    return await unpacked(archive, into).catch(async (error) => {
      await rm(into, { recursive: true, force: true });
      throw error;
    });
  } finally {
    await archive.close();
  }
}

async function unpacked(archive: Archive, into: string): Promise<Unpacked> {
  const entries = archive.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const described = entries.find(({ path }) => path === manifestFile);
  if (described === undefined) throw packageErrors.invalidPackage(`The package has no ${manifestFile} at its root.`);
  const place = join(into, manifestFile);
  const sha256 = await archive.extract(described, place);
  const manifest = readManifest(await readFile(place));
  if (!entries.some(({ path }) => path === manifest.entry))
    throw packageErrors.invalidPackage(`The package has no ${manifest.entry}, but its manifest names it as the entry.`);
  const made = new Set<string>([into]);
  const files: PackedFile[] = [];
  for (const entry of entries) {
    const { path, size } = entry;
    files.push({
      path,
      size,
      sha256: entry === described ? sha256 : await placed(archive, entry, join(into, path), made),
    });
  }
  return { manifest, files };
}

async function placed(archive: Archive, entry: ZipEntry, to: string, made: Set<string>): Promise<string> {
  const folder = dirname(to);
  if (!made.has(folder)) await mkdir(folder, { mode: 0o700, recursive: true });
  made.add(folder);
  return archive.extract(entry, to);
}

/** Whether the folder holds these files and nothing else: no byte changed, no file added, no link. */
export async function verifyUnpacked(folder: string, files: readonly PackedFile[]): Promise<boolean> {
  try {
    if (!(await lstat(folder)).isDirectory() || !(await holdsOnly(folder, files))) return false;
    for (const file of files) if (!(await isSame(join(folder, file.path), file))) return false;
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Looks at no more than there should be. */
async function holdsOnly(folder: string, files: readonly PackedFile[]): Promise<boolean> {
  const wanted = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  for (const inside of ['', ...folders]) {
    for (const one of await readdir(join(folder, inside), { withFileTypes: true })) {
      const path = inside === '' ? one.name : `${inside}/${one.name}`;
      const isWanted = one.isDirectory() ? folders.has(path) : one.isFile() && wanted.has(path);
      if (!isWanted) return false;
    }
  }
  return true;
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

async function isSame(place: string, { size, sha256 }: PackedFile): Promise<boolean> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if ((await handle.stat()).size !== size) return false;
    const hash = createHash('sha256');
    for await (const piece of handle.createReadStream({ autoClose: false })) hash.update(piece);
    return hash.digest('hex') === sha256;
  } finally {
    await handle.close();
  }
}
