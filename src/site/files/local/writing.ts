// A file is written under a name that nobody reads, and gets its own when it is whole and safe on the disk.
import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Body } from '../files.ts';
import { unfinished } from '../path.ts';
import { codeOf, told } from './faults.ts';
import { type Ground, settled, unlessThere } from './ground.ts';

/** Its bytes on the disk, under a passing name. What fails leaves nothing. */
export async function written(root: string, body: Body): Promise<string> {
  const folder = join(root, unfinished);
  await told('written', mkdir(folder, { mode: 0o700 }).catch(unlessThere));
  const place = join(folder, randomUUID());
  const handle = await told('written', open(place, 'wx', 0o600));
  try {
    await poured(handle, body);
    await told('written', handle.sync());
  } catch (error) {
    await handle.close();
    await unlink(place).catch(() => {});
    throw error;
  }
  await handle.close();
  return place;
}

/** What the body itself throws stays as it is; only what the disk says is told in our words. */
async function poured(handle: FileHandle, body: Body): Promise<void> {
  if (body instanceof Uint8Array) return told('written', handle.writeFile(body));
  for await (const chunk of body) await told('written', handle.writeFile(chunk));
}

const tries = 5;

/** Whoever erases the last file of a folder takes the folder away, perhaps between our two steps. */
export async function renamed(ground: Ground, from: string, path: string, attempt = 1): Promise<string> {
  const to = await ground.room(path);
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || attempt === tries) throw error;
    return renamed(ground, from, path, attempt + 1);
  }
  await settled(dirname(to));
  return to;
}

const day = 24 * 60 * 60 * 1000;

/** What a process left that died while it wrote. Younger ones may be another process's work. */
export async function sweep(root: string, now: Date): Promise<void> {
  const folder = join(root, unfinished);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const left = await lstat(join(folder, name)).catch(() => undefined);
    if (left?.isFile() && now.getTime() - left.mtimeMs > day) await unlink(join(folder, name)).catch(() => {});
  }
}
