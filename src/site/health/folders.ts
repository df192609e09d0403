// The folders of the site and the disks they are on. Nothing is made or changed.
import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, type Seen, warning, wrong } from './check.ts';
import type { Installation } from './installation.ts';

export async function dataFolder({ data }: Installation): Promise<Seen> {
  const there = await lookedAt(data);
  if (there && !there.isDirectory()) return wrong(`${data} is a file`, 'Give --data the path of a folder.');
  const folder = there ? data : await nearestFolder(data);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const remedy = 'Give the folder to this user, or choose another with --data.';
    return wrong(`this user may not write to ${folder}`, remedy);
  }
  if (!there) return ok(`${data} will be made at the first start`);
  const shut = (there.mode & 0o077) === 0;
  return shut ? ok(data) : warning(`${data} is open to other users of this machine`, `Run "chmod 700 ${data}".`);
}

/** What stands at a path; nothing also where this user may not look. */
export const lookedAt = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

export async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await lookedAt(path)) !== undefined ? path : nearestFolder(parent);
}

const mebibyte = 1024 ** 2;

/** The disk of the data folder, and that of the media where it is another. */
export async function disk({ data, media }: Installation): Promise<Seen> {
  const first = await nearestFolder(data);
  const second = media.kind === 'folder' ? await nearestFolder(media.path) : first;
  const [one, other] = [await stat(first), await stat(second)];
  const folders = one.dev === other.dev ? [first] : [first, second];
  const rooms = await Promise.all(folders.map(async (folder) => ({ folder, free: await freeOn(folder) })));
  const [least] = rooms.toSorted((a, b) => a.free - b.free);
  const finding = rooms.map(({ free }, at) => `${written(free)} free${at === 0 ? '' : ' for the media'}`).join(', ');
  return judged(finding, least!);
}

function judged(finding: string, { folder, free }: { readonly folder: string; readonly free: number }): Seen {
  const remedy = `Make room on the disk of ${folder}.`;
  if (free < 100) return wrong(finding, remedy);
  return free < 1024 ? warning(finding, remedy) : ok(finding);
}

/** In MiB. */
const freeOn = async (folder: string): Promise<number> => Math.floor((await freeBytes(folder)) / mebibyte);

/** On the disk of a folder that is there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const written = (free: number): string => (free < 1024 ? `${free} MiB` : `${Math.floor(free / 1024)} GiB`);
