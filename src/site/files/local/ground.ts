// The folder that files lie in, and how paths become places in it. No link in it is followed, so that none leads out of it; the
// folder itself may be one.
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, realpath, rmdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { fileErrors } from '../errors.ts';

export interface Ground {
  /** Where a file is, or would be; nothing when its folder is not there, or is reached over a link. */
  place(path: string): Promise<string | undefined>;
  /** As `place`, with the folders made that it needs. */
  room(path: string): Promise<string>;
  /** Takes away the folders above it that hold nothing any more. */
  tidy(path: string): Promise<void>;
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Nothing where there is nothing; any other fault stays one. */
export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (absent.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

export const fileAt = async (place: string): Promise<Stats | undefined> => {
  const there = await unlessAbsent(lstat(place));
  return there?.isFile() ? there : undefined;
};

/** A new name, or one that is gone, survives a power cut once its folder was written down. */
export async function settled(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function createGround(root: string): Ground {
  let known = '';
  const place = async (path: string) => {
    const folder = await unlessAbsent(realpath(dirname(join(root, path))));
    if (folder !== undefined && folder === dirname(join(known, path))) return join(folder, basename(path));
    // A root that is gone is a fault, not a folder without files; one that is a link may lead elsewhere by now.
    known = await realpath(root);
    const meant = join(known, path);
    return folder === dirname(meant) ? meant : undefined;
  };
  return {
    place,
    room: async (path) => {
      const meant = join(await realpath(root), path);
      await makeFolders(dirname(meant));
      return meant;
    },
    tidy: async (path) => {
      const ground = await realpath(root);
      let folder = dirname(join(ground, path));
      while (folder.startsWith(`${ground}${sep}`) && (await isGone(folder))) folder = dirname(folder);
    },
  };
}

/** One after another from the top, so that none is made beyond a link. */
async function makeFolders(folder: string): Promise<void> {
  const is = await unlessAbsent(realpath(folder));
  if (is === folder) return;
  if (is !== undefined) throw Object.assign(new Error('The path contains a symbolic link.'), { code: 'ENOTDIR' });
  await makeFolders(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(unlessThere);
  await settled(dirname(folder));
}

export function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

/** False as soon as somebody else's file is in it. */
async function isGone(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}

// What a file system answers, in words that somebody can do something with.

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const inTheWay = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY']);
const why: Readonly<Record<string, string>> = {
  EACCES: 'this system user has no access',
  EPERM: 'this system user has no access',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports errors',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'the folder does not exist',
};

export function faultOf(error: unknown, doing: 'read' | 'written'): unknown {
  const code = codeOf(error);
  // What begins so is a word of Node: something of ours is wrong, and not the disk.
  if (code === undefined || code.startsWith('ERR_') || error instanceof Problem) return error;
  if (full.has(code)) return new OutOfSpace('The disk for uploaded files is full.', { cause: error });
  if (inTheWay.has(code)) return fileErrors.pathTaken();
  const { path = '' } = error as NodeJS.ErrnoException;
  const where = path === '' ? '' : ` (${path})`;
  return new Unavailable(`Files cannot be ${doing} at the moment: ${why[code] ?? code}${where}.`, { cause: error });
}

/** Does it, and says what went wrong in our own words. */
export async function told<T>(doing: 'read' | 'written', work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw faultOf(error, doing);
  }
}
