// Files beside the others, in a folder that nobody lists, under the paths they are to have.
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Aside, type Body, filePath, isFilePath, unfinished } from '../files.ts';
import { codeOf, createGround, type Ground, settled, told, unlessAbsent } from './ground.ts';
import { listing } from './reading.ts';
import { named, renamed, settledIfThere, written } from './writing.ts';

export function createAside(root: string, ground: Ground, name: string): Aside {
  const folder = join(root, unfinished, name);
  const list = async function* () {
    if (await told('read', unlessAbsent(lstat(folder)))) yield* listing(createGround(folder), '');
  };
  return {
    where: folder,
    put: async (path, body) => put(join(folder, filePath(path)), body),
    list,
    blocked: (replaces) => told('written', blocked(root, list(), replaces)),
    place: (kept) => told('written', place(folder, list(), ground, kept)),
    clear: () => told('written', rm(folder, { recursive: true, force: true })),
  };
}

async function put(place: string, body: Body): Promise<void> {
  const handle = await told('written', opened(place));
  await written(handle, place, body);
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** Its folders are made when they are found missing. */
async function opened(place: string): Promise<FileHandle> {
  const make = () => open(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    return await make();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    return make();
  }
}

type All = ReturnType<Aside['list']>;
type Kept = Parameters<Aside['place']>[0];

async function blocked(root: string, all: All, replaces: boolean): Promise<string | undefined> {
  const known = await realpath(root);
  for await (const { path } of all) if (!(await isFree(known, path, replaces))) return path;
  return undefined;
}

/** Each folder is written down once its files are in it, and not after every one. */
async function place(folder: string, all: All, ground: Ground, kept: Kept): Promise<number> {
  let count = 0;
  let last: string | undefined;
  for await (const { path } of all) {
    const to = await placedOne(join(folder, path), path, ground, kept);
    if (to === undefined) continue;
    count += 1;
    if (last !== undefined && last !== to) await settledIfThere(last);
    last = to;
  }
  if (last !== undefined) await settled(last);
  return count;
}

const taken = new Set(['EEXIST', 'ENOTDIR', 'EISDIR']);

/** Its folder; nothing when something else has the path and stays. */
async function placedOne(from: string, path: string, ground: Ground, kept: Kept): Promise<string | undefined> {
  if (kept === undefined) return renamed(ground, from, path);
  try {
    return await renamed(ground, from, path, named);
  } catch (error) {
    if (!taken.has(codeOf(error) ?? '')) throw error;
    kept(path);
    return undefined;
  }
}

// A path is free when no file stands at it or at one of its folders.

const { W_OK, X_OK } = constants;

/** Over no link, onto no other disk. Where others are replaced, files give way, and with them the folders that hold nothing else. */
async function isFree(root: string, path: string, replaces: boolean): Promise<boolean> {
  const { dev } = await lstat(root);
  let place = root;
  for (const segment of path.split('/')) {
    const folder = place;
    place = join(folder, segment);
    const there = await unlessAbsent(lstat(place));
    if (there?.isDirectory() && there.dev === dev) continue;
    await access(folder, W_OK | X_OK); // what may not be written is told in the system's words
    return there === undefined || (replaces && there.isFile());
  }
  return replaces && goes(root, path);
}

/** Once its files are erased a folder goes too, unless it holds what is none of ours, or never held a file. */
async function goes(root: string, folder: string): Promise<boolean> {
  const names = await readdir(join(root, folder));
  for (const name of names) {
    const path = `${folder}/${name}`;
    const there: Stats = await lstat(join(root, path));
    if (!isFilePath(path) || !(there.isFile() || (there.isDirectory() && (await goes(root, path))))) return false;
  }
  return names.length > 0;
}
