// Files where the operator wants them kept.

import type { Keys, Media } from '#lib/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Files } from './files.ts';
import { openLocalFiles } from './local/local.ts';

export async function openFiles(media: Media, keys: Keys | undefined, clock: Clock): Promise<Files> {
  if (media.kind === 'folder') return openLocalFiles(media.path, clock());
  if (keys === undefined) throw new Error('An S3 bucket needs its access keys.');
  // Loaded where there is one: no other site pays for it.
  const { createS3Files } = await import('./s3/s3.ts');
  return createS3Files(media, keys);
}
