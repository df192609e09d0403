// Files in a folder of this machine.
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { Problem } from '#kernel/problem.ts';
import { makeFolder } from '#store/folder.ts';
import type { Body, Entry, Files, Opened, Range } from '../files.ts';
import { filePath, folderPath } from '../path.ts';
import { within } from '../range.ts';
import { codeOf, told } from './faults.ts';
import { createGround, fileAt, type Ground, settled, unlessAbsent } from './ground.ts';
import { listing } from './listing.ts';
import { renamed, sweep, written } from './writing.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, R_OK, W_OK, X_OK } = constants;

export function createLocalFiles(root: string): Files {
  const ground = createGround(root);
  return {
    place: root,
    put: (path, body) => put(root, ground, filePath(path), body),
    find: (path) => told('read', find(ground, filePath(path))),
    open: (path, range) => told('read', opened(ground, filePath(path), range)),
    list: (folder = '') => listing(ground, folderPath(folder)),
    move: (from, to) => told('written', move(ground, filePath(from), filePath(to))),
    erase: (path) => told('written', erase(ground, filePath(path))),
    ping: () => told('written', access(root, R_OK | W_OK | X_OK)),
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

const entryOf = (path: string, { size, mtime }: Stats): Entry => ({ path, size, modified: mtime });

async function find(ground: Ground, path: string): Promise<Entry | undefined> {
  const place = await ground.place(path);
  const there = place === undefined ? undefined : await fileAt(place);
  return there && entryOf(path, there);
}

async function put(root: string, ground: Ground, path: string, body: Body): Promise<Entry> {
  const passing = await written(root, body);
  try {
    const there = await fileAt(passing);
    await renamed(ground, passing, path);
    if (there === undefined) throw new Error('A file that was just written is gone.');
    return entryOf(path, there);
  } catch (error) {
    await unlink(passing).catch(() => {});
    return told('written', Promise.reject(error));
  }
}

async function opened(ground: Ground, path: string, range?: Range): Promise<Opened | undefined> {
  const place = await ground.place(path);
  // A pipe that lies there would keep us waiting for its other end.
  const handle = place && (await unlessAbsent(open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)));
  if (!handle) return undefined;
  try {
    const there = await handle.stat();
    if (there.isFile()) return { ...entryOf(path, there), stream: await streamOf(handle, there.size, range) };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function streamOf(handle: FileHandle, size: number, range?: Range): Promise<Readable> {
  const part = range && within(range, size);
  if (size > 0) {
    const { first: start, last: end } = part ?? { first: 0, last: size - 1 };
    return handle.createReadStream({ start, end, highWaterMark: 256 * 1024 });
  }
  await handle.close();
  return Readable.from([]);
}

async function move(ground: Ground, from: string, to: string): Promise<void> {
  const place = await ground.place(from);
  if (!place || !(await fileAt(place))) throw new Problem(404, 'file_not_found', 'There is no such file.');
  if (from === to) return;
  await renamed(ground, place, to);
  await unlessAbsent(settled(dirname(place)));
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
  await settled(dirname(place));
  await ground.tidy(path);
  return true;
}
