// Whether a path can be had among what lies in the folder.
import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isFilePath } from '../path.ts';
import { unlessAbsent } from './ground.ts';

const { W_OK, X_OK } = constants;

/** Over no link, onto no other disk. Where others are replaced, files give way, and with them the folders that hold nothing else. */
export async function isFree(root: string, path: string, replaces: boolean): Promise<boolean> {
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
