import { readdir } from 'node:fs/promises';
import type { Entry } from '../files.ts';
import { byBytes, isFilePath } from '../path.ts';
import { told } from './faults.ts';
import { fileAt, type Ground, unlessAbsent } from './ground.ts';

/** A name in a folder, with a slash after it when it is a folder: that is where its files stand among the others. */
type Waiting = string;

/** One folder's names are in memory at a time, with those of the folders above it. */
export async function* listing(ground: Ground, folder: string): AsyncGenerator<Entry> {
  const waiting: Waiting[] = await namesIn(ground, folder);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.endsWith('/')) {
      for (const inside of await namesIn(ground, next)) waiting.push(inside);
      continue;
    }
    const entry = await entryAt(ground, next);
    if (entry) yield entry;
  }
}

/** The last first. What is neither file nor folder, and what no path could name, is none of ours. */
async function namesIn(ground: Ground, folder: string): Promise<Waiting[]> {
  const place = await told('read', ground.place(`${folder}x`));
  if (place === undefined) return [];
  const found = (await told('read', unlessAbsent(readdir(place.slice(0, -1), { withFileTypes: true })))) ?? [];
  const ours = found.filter((one) => (one.isFile() || one.isDirectory()) && isFilePath(`${folder}${one.name}`));
  const paths = ours.map((one) => `${folder}${one.name}${one.isDirectory() ? '/' : ''}`);
  return byBytes(paths, (path) => path).reverse();
}

async function entryAt(ground: Ground, path: string): Promise<Entry | undefined> {
  const place = await told('read', ground.place(path));
  const there = place === undefined ? undefined : await told('read', fileAt(place));
  return there && { path, size: there.size, modified: there.mtime };
}
