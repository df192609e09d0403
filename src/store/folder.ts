import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. One by one: asked for all of them at once, Node tries for ever where a file system lets nobody make a folder. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error; // else another process was first
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
