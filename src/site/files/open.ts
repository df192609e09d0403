// Files where the operator wants them kept.
import type { Clock } from '../clock.ts';
import type { Files } from './files.ts';
import { openLocalFiles } from './local/local.ts';

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

export async function openFiles(media: Media, _keys: Keys | undefined, clock: Clock): Promise<Files> {
  if (media.kind === 'folder') return openLocalFiles(media.path, clock());
  throw new Error('An object store was named without its keys.');
}
