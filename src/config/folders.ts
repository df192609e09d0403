// How folders that settings name lie to one another.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether one folder is the other or lies somewhere below it, also by way of a link. */
export function holdsFolder(outer: string, inner: string): boolean {
  const way = relative(followed(outer), followed(inner));
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Where the path leads, as far as there is something yet. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(followed(above), basename(path));
  }
}
