// Files beside the others, in a folder that nobody lists, under the paths they are to have.
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Aside, Body } from '../files.ts';
import { filePath, unfinished } from '../path.ts';
import { codeOf, told } from './faults.ts';
import { createGround, type Ground, settled, unlessAbsent } from './ground.ts';
import { listing } from './listing.ts';
import { renamed, settledIfThere, written } from './writing.ts';

export function createAside(root: string, ground: Ground, name: string): Aside {
  const folder = join(root, unfinished, name);
  const list = async function* () {
    if (await told('read', isThere(folder))) yield* listing(createGround(folder), '');
  };
  return {
    isThere: async () => (await told('read', isThere(folder))) !== undefined,
    put: async (path, body) => put(join(folder, filePath(path)), body),
    list,
    place: () => told('written', place(folder, list(), ground)),
    clear: () => told('written', rm(folder, { recursive: true, force: true })),
  };
}

const isThere = (folder: string): Promise<true | undefined> =>
  unlessAbsent(open(folder).then((handle) => handle.close().then(() => true as const)));

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

/** Each folder is written down once its files are in it, and not after every one. */
async function place(folder: string, all: ReturnType<Aside['list']>, ground: Ground): Promise<void> {
  let last: string | undefined;
  for await (const { path } of all) {
    const to = await renamed(ground, join(folder, path), path);
    if (last !== undefined && last !== to) await settledIfThere(last);
    last = to;
  }
  if (last !== undefined) await settled(last);
}
