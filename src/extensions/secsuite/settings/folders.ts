// What nobody outside may read lies in no folder whose files everybody gets.

import { Problem } from '#kernel/problem.ts';
import type { Media } from '#lib/media.ts';
import { liesIn } from '../disk/folders.ts';
import type { Settings } from './types.ts';

/** By module: the log tells of people, the rules for nginx name banned addresses, and a backup holds everything. */
const paths = [
  ['global', 'log_location', 'directory'],
  ['global', 'nginx_file', 'file-path'],
  ['backup', 'location', 'directory'],
] as const;

export interface PathGuard {
  /** Whether everybody gets what lies there. */
  isServed(path: string): Promise<boolean>;
  /** Settings that name such a path now: they were set before uploads came to lie there. */
  served(): Promise<string[]>;
}

/** `media`: where uploaded files lie. */
export function guardPaths(settings: Pick<Settings, 'check' | 'of'>, media: Media): PathGuard {
  const isServed = async (path: string): Promise<boolean> => media.kind === 'folder' && liesIn(media.path, path);
  for (const [id, name, format] of paths)
    settings.check(id, async ({ after }) => ((await isServed(String(after[name]))) ? [open(id, name, format)] : []));
  return {
    isServed,
    async served() {
      const all = await Promise.all(paths.map(async ([id, name]) => isServed(String(settings.of(id)[name]))));
      return paths.flatMap(([id, name], at) => (all[at] ? [`${id}.${name}`] : []));
    },
  };
}

const open = (id: string, name: string, format: string): Problem =>
  new Problem(
    400,
    `secsuite-validator-${id}-invalid-type-${name}-${format}`,
    `${name} lies in the folder of uploaded files, which visitors can read. Choose a path outside that folder.`,
  );
