// Everything in a folder, whatever is linked there left out.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

const deepest = 30;

/** Paths with `/` between their parts. */
export async function* listFolder(folder: string, below = '', depth = 0): AsyncGenerator<string> {
  if (depth > deepest) return;
  const names: { name: string; isFolder: boolean }[] = [];
  for await (const entry of await opendir(join(folder, below)))
    if (entry.isFile() || entry.isDirectory()) names.push({ name: entry.name, isFolder: entry.isDirectory() });
  names.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, isFolder } of names) {
    const path = below === '' ? name : `${below}/${name}`;
    if (isFolder) yield* listFolder(folder, path, depth + 1);
    else yield path;
  }
}
