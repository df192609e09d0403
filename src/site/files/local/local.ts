// Files in a folder of this machine.
import { constants, createReadStream } from 'node:fs';
import { access, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '#store/folder.ts';
import { fileErrors } from '../errors.ts';
import { type Body, type Entry, type Files, filePath, folderPath } from '../files.ts';
import { createAside } from './aside.ts';
import { codeOf, createGround, fileAt, type Ground, told } from './ground.ts';
import { entryOf, listing, opened } from './reading.ts';
import { adopted, type Passing, passing, renamed, settledIfThere, sweep } from './writing.ts';

const { R_OK, W_OK, X_OK } = constants;

export function createLocalFiles(root: string): Files {
  const ground = createGround(root);
  return {
    place: root,
    takesBoth: false,
    put: (path, body) => put(root, ground, filePath(path), body),
    adopt: (path, place) => adopt(root, ground, filePath(path), place),
    find: (path) => told('read', find(ground, filePath(path))),
    open: (path, range) => told('read', opened(ground, filePath(path), range)),
    list: (folder = '', passed) => listing(ground, folderPath(folder), passed),
    move: (from, to) => told('written', move(ground, filePath(from), filePath(to))),
    erase: (path) => told('written', erase(ground, filePath(path))),
    ping: () => told('written', access(root, R_OK | W_OK | X_OK)),
    aside: (name) => createAside(root, ground, name),
  };
}

/** Made where it is missing, and rid of what was left half-written long ago. */
export async function openLocalFiles(root: string, now: Date): Promise<Files> {
  await told(
    'written',
    Promise.resolve().then(() => makeFolder(root)),
  );
  await sweep(root, now);
  return createLocalFiles(root);
}

async function find(ground: Ground, path: string): Promise<Entry | undefined> {
  const place = await ground.place(path);
  const there = place === undefined ? undefined : await fileAt(place);
  return there && entryOf(path, there);
}

const put = async (root: string, ground: Ground, path: string, body: Body): Promise<Entry> =>
  placed(ground, path, await passing(root, body));

const adopt = async (root: string, ground: Ground, path: string, from: string): Promise<Entry> =>
  placed(ground, path, (await adopted(root, from)) ?? (await passing(root, createReadStream(from))));

async function placed(ground: Ground, path: string, { place, stats }: Passing): Promise<Entry> {
  try {
    await settledIfThere(await renamed(ground, place, path));
    return entryOf(path, stats);
  } catch (error) {
    await unlink(place).catch(() => {});
    return told('written', Promise.reject(error));
  }
}

async function move(ground: Ground, from: string, to: string): Promise<void> {
  const place = await ground.place(from);
  if (!place || !(await fileAt(place))) throw fileErrors.fileNotFound();
  if (from === to) return;
  await settledIfThere(await renamed(ground, place, to));
  await settledIfThere(dirname(place));
  await ground.tidy(from);
}

async function erase(ground: Ground, path: string): Promise<boolean> {
  const place = await ground.place(path);
  if (!place || !(await fileAt(place))) return false;
  const gone = await unlink(place).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
  if (!gone) return false;
  await settledIfThere(dirname(place));
  await ground.tidy(path);
  return true;
}
