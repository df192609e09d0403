import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Entry } from '../files.ts';
import { byBytes, isFilePath, unfinished } from '../path.ts';
import { told } from './faults.ts';
import { fileAt, type Ground, unlessAbsent } from './ground.ts';
import { entryOf } from './reading.ts';

/** A path with the place it has; with a slash after it when it is a folder: that is where its files stand among the others. */
interface Waiting {
  readonly path: string;
  readonly place: string;
}
type Passed = ((path: string) => void) | undefined;

/** One folder's names are in memory at a time, with those of the folders above it. */
export async function* listing(ground: Ground, folder: string, passed?: Passed): AsyncGenerator<Entry> {
  const waiting: Waiting[] = await namesIn(ground, folder, passed);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, place } = next;
    if (path.endsWith('/')) {
      for (const inside of await namesIn(ground, path, passed)) waiting.push(inside);
      continue;
    }
    const there = await told('read', fileAt(place));
    if (there) yield entryOf(path, there);
  }
}

/** The last first. What is neither file nor folder, and what no path could name, is none of ours. */
async function namesIn(ground: Ground, folder: string, passed: Passed): Promise<Waiting[]> {
  const inside = await told('read', ground.place(`${folder}x`));
  if (inside === undefined) return [];
  const place = dirname(inside);
  const found = (await told('read', unlessAbsent(readdir(place, { withFileTypes: true })))) ?? [];
  const ours: Waiting[] = [];
  for (const one of found) {
    const path = `${folder}${one.name}`;
    if (isOurs(one, path)) ours.push({ path: one.isDirectory() ? `${path}/` : path, place: join(place, one.name) });
    else if (path !== unfinished) passed?.(path);
  }
  return byBytes(ours, ({ path }) => path).reverse();
}

const isOurs = (one: Dirent, path: string): boolean => (one.isFile() || one.isDirectory()) && isFilePath(path);
