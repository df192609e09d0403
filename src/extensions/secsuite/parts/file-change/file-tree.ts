// The files that are compared, as clients show them in a form. No path leads out of the places where they are.
import { posix, resolve } from 'node:path';
import { entriesOf, realPath } from '../../disk/reading.ts';
import type { Place } from '../../disk/walking.ts';

export interface TreeEntry {
  /** The path, with a slash before it. */
  readonly id: string;
  readonly label: string;
  /** Whether it is a folder. */
  readonly children: boolean;
}

const byName = (one: TreeEntry, other: TreeEntry): number =>
  Number(other.children) - Number(one.children) || (one.label < other.label ? -1 : 1);

/** A folder or file that is a link is left out, and so is what is below one. */
export async function entriesBelow(places: readonly Place[], directory: string): Promise<TreeEntry[]> {
  const path = posix.normalize(`/${directory}`).replace(/\/+$/, '');
  if (path === '') return places.map(({ name }) => ({ id: `/${name}`, label: name, children: true }));
  const place = places.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`));
  const below = path.slice((place?.name.length ?? 0) + 2);
  const [root, real] =
    place === undefined ? [] : await Promise.all([realPath(place.folder), realPath(resolve(place.folder, below))]);
  if (place === undefined || root === undefined || real !== resolve(root, below)) return [];
  if (below !== '' && place.takes?.(below, true) === false) return [];
  const entries = (await entriesOf(real))
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .filter((entry) => place.takes?.(posix.join(below, entry.name), entry.isDirectory()) ?? true);
  return entries
    .map((entry) => ({ id: `${path}/${entry.name}`, label: entry.name, children: entry.isDirectory() }))
    .sort(byName);
}
