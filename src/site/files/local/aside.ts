// Files beside the others, in a folder that nobody lists, under the paths they are to have.
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Aside, Body } from '../files.ts';
import { filePath, unfinished } from '../path.ts';
import { codeOf, told } from './faults.ts';
import { createGround, type Ground, settled, unlessAbsent } from './ground.ts';
import { listing } from './listing.ts';
import { isFree } from './room.ts';
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
