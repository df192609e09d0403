// What nobody outside may read lies in no folder whose files everybody gets.

import { Problem } from '#kernel/problem.ts';
import type { Media } from '#lib/media.ts';
import { liesIn } from '../disk/folders.ts';
import type { Settings } from './types.ts';

/** By module: the log tells of people, and a backup holds everything. */
const folders = [
  ['global', 'log_location'],
  ['backup', 'location'],
] as const;

/** `media`: where uploaded files lie. */
export function guardFolders(settings: Pick<Settings, 'check'>, media: Media): void {
  if (media.kind !== 'folder') return;
  for (const [id, name] of folders)
    settings.check(id, async ({ after }) => ((await liesIn(media.path, String(after[name]))) ? [open(id, name)] : []));
}

const open = (id: string, name: string): Problem =>
  new Problem(
    400,
    `secsuite-validator-${id}-invalid-type-${name}-directory`,
    'Whoever has the address of an uploaded file gets it. Please choose a folder apart from those.',
  );
