// A file is written under a name that nobody reads, and gets its own when it is whole and safe on the disk.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { day } from '#lib/spans.ts';
import { type Body, unfinished } from '../files.ts';
import { codeOf, faultOf, type Ground, settled, told, unlessAbsent, unlessThere } from './ground.ts';

/** Bytes on the disk, under a passing name. */
export interface Passing {
  readonly place: string;
  readonly stats: Stats;
}

async function passingPlace(root: string): Promise<string> {
  const folder = join(root, unfinished);
  await told('written', mkdir(folder, { mode: 0o700 }).catch(unlessThere));
  return join(folder, randomUUID());
}

export async function passing(root: string, body: Body): Promise<Passing> {
  const place = await passingPlace(root);
  return { place, stats: await written(await told('written', open(place, 'wx', 0o600)), place, body) };
}

/** Nothing, where the file is on another disk, or on one where no file has two names. */
export async function adopted(root: string, from: string): Promise<Passing | undefined> {
  const place = await passingPlace(root);
  try {
    await link(from, place);
  } catch (error) {
    if (elsewhere.has(codeOf(error) ?? '')) return undefined;
    throw faultOf(error, 'written');
  }
  return { place, stats: await written(await told('written', open(place, 'r')), place) };
}

/** Its bytes on the disk, those of `body` or those it has. What fails leaves nothing. */
export async function written(handle: FileHandle, place: string, body?: Body): Promise<Stats> {
  try {
    await (body === undefined ? told('written', handle.chmod(0o600)) : poured(handle, body));
    await told('written', handle.sync());
    return await told('written', handle.stat());
  } catch (error) {
    await unlink(place).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}

/** What the body itself throws stays as it is; only what the disk says is told in our words. */
async function poured(handle: FileHandle, body: Body): Promise<void> {
  if (body instanceof Uint8Array) return told('written', handle.writeFile(body));
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A file must be written in pieces of bytes.');
    await told('written', handle.writeFile(chunk));
  }
}

const tries = 50;

/** Whoever erases the last file of a folder takes the folder away, perhaps between two of our steps. Gives the folder. */
export async function renamed(
  ground: Ground,
  from: string,
  path: string,
  name: typeof named = rename,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const to = await ground.room(path);
      await name(from, to);
      return dirname(to);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === tries) throw error;
    }
  }
}

const unlinkable = new Set(['EPERM', 'ENOTSUP', 'ENOSYS']);
const elsewhere = new Set([...unlinkable, 'EXDEV', 'EMLINK']);

/** As `rename`, but what has the name keeps it: `EEXIST`. */
export async function named(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!unlinkable.has(codeOf(error) ?? '')) throw error;
    // A disk on which no file has two names: looked at right before, which is all that can be done there.
    if (await unlessAbsent(lstat(to))) throw Object.assign(new Error('The file exists.'), { code: 'EEXIST' });
    return rename(from, to);
  }
  await unlink(from);
}

/** Gone meanwhile, it holds nothing that could be lost. */
export const settledIfThere = (folder: string): Promise<void> => unlessAbsent(settled(folder));

/** What a process left that died while it wrote. Younger ones may be another process's work, many files at once a long one. */
export async function sweep(root: string, now: Date): Promise<void> {
  const folder = join(root, unfinished);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const left = await lstat(join(folder, name)).catch(() => undefined);
    const age = left === undefined ? 0 : now.getTime() - left.mtimeMs;
    if (left?.isFile() && age > day) await unlink(join(folder, name)).catch(() => {});
    if (left?.isDirectory() && age > 7 * day) await rm(join(folder, name), { recursive: true }).catch(() => {});
  }
}
