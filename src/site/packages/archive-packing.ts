// A folder becomes a package: the same folder, the same bytes.
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isArchivePath, type ZipFile, zip } from '#lib/zip.ts';
import { packageLimits } from './archive.ts';
import { isCatalogue } from './catalogue-document.ts';
import { packageErrors } from './errors.ts';
import { type Manifest, manifestFile, readManifest } from './manifest.ts';

/** At the beginning of a line, where a program that only speaks of keys does not have it. */
const privateKey = /^[ \t]{0,20}-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/m;

/** Of any kind: none is for others. */
const isNamedAsKey = (name: string): boolean => /\.key$/i.test(name);

/** Throws where one of these files holds a private key. */
export async function refuseKeys(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (privateKey.test(await readFile(join(folder, path), 'latin1')))
      throw packageErrors.invalidPackage(
        `${path} holds a private key, which must not be in a package. Move it to another folder.`,
      );
}

export interface Packed {
  readonly manifest: Manifest;
  readonly paths: readonly string[];
  readonly bytes: Buffer;
}

/** Without it the files would be read as the folder says in which a site happens to keep them. */
const modules: ZipFile = { path: 'package.json', content: '{ "type": "module" }\n' };

/** Long ago, and the same for all. */
const moment = new Date('1980-01-01T00:00:00Z');

/** What an author has beside an extension: tests, tools and what they installed, packages, and whatever begins with a dot. */
const ofTools = new Set(['node_modules', 'package.json', 'package-lock.json', 'tsconfig.json']);
const isLeftOut = (name: string): boolean =>
  name.startsWith('.') || ofTools.has(name) || /\.(?:test\.(?:ts|js|mjs)|zip)$/i.test(name);

export async function pack(folder: string): Promise<Packed> {
  await readdir(folder); // it is there, and a folder
  const described = await readFile(join(folder, manifestFile)).catch(missing);
  const manifest = readManifest(described);
  const there = await filesIn(folder, '');
  // Before anything is read: a folder may be anybody's.
  if (there.reduce((sum, { size }) => sum + size, 0) > packageLimits.bytes)
    throw packageErrors.invalidPackage(
      `This folder has more than ${packageLimits.bytes / 2 ** 20} MiB, the limit of a package.`,
    );
  const paths = await published(
    folder,
    there.map(({ path }) => path),
  );
  if (!paths.includes(manifest.entry))
    throw packageErrors.invalidPackage(`${manifest.entry} does not exist, but ${manifestFile} names it as the entry.`);
  const files = async function* (): AsyncGenerator<ZipFile> {
    for (const path of paths) yield { path, content: await readFile(join(folder, path)) };
    yield modules;
  };
  const bytes = Buffer.concat(await Array.fromAsync(zip(files(), moment)));
  return { manifest, paths, bytes };
}

/** Without what publishers keep for themselves, in the order of their names. */
async function published(folder: string, paths: readonly string[]): Promise<string[]> {
  await refuseKeys(folder, paths);
  const found: string[] = [];
  for (const path of paths.toSorted()) {
    const isList = path.endsWith('.json') && isCatalogue(await readFile(join(folder, path)));
    if (!isList && !isNamedAsKey(path)) found.push(path);
  }
  return found;
}

function missing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw packageErrors.invalidPackage(`This folder has no ${manifestFile}, so it is not the folder of an extension.`);
}

async function filesIn(folder: string, inside: string): Promise<{ path: string; size: number }[]> {
  const found: { path: string; size: number }[] = [];
  for (const name of await readdir(join(folder, inside))) {
    if (isLeftOut(name)) continue;
    const path = inside === '' ? name : `${inside}/${name}`;
    if (!isArchivePath(path))
      throw packageErrors.invalidPackage(`The name ${JSON.stringify(path)} does not work on all systems.`);
    const one = await lstat(join(folder, path));
    if (!one.isFile() && !one.isDirectory())
      throw packageErrors.invalidPackage(`${path} is neither a file nor a folder; a package can have only files.`);
    found.push(...(one.isDirectory() ? await filesIn(folder, path) : [{ path, size: one.size }]));
    if (found.length > packageLimits.files)
      throw packageErrors.invalidPackage(`A package can have at most ${packageLimits.files} files.`);
  }
  return found;
}
