// Files where the operator wants them kept.
import type { Clock } from '../clock.ts';
import type { Files } from './files.ts';
import { openLocalFiles } from './local/local.ts';
import { createS3Files } from './s3/s3.ts';

export type Media =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
    };

export interface Keys {
  readonly id: string;
  readonly secret: string;
}

export async function openFiles(media: Media, keys: Keys | undefined, clock: Clock): Promise<Files> {
  if (media.kind === 'folder') return openLocalFiles(media.path, clock());
  if (keys === undefined) throw new Error('An object store is opened with its keys.');
  return createS3Files(media, keys);
}
