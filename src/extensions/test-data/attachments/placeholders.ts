// Placeholders as files, and how any picture becomes the bytes of a file. libvips does all of that, off this thread.

import type { Sharp } from 'sharp';
import type { Turns } from '#lib/concurrency.ts';
import type { Draws } from '#lib/draws.ts';
import { sharp } from '#site/content/media/libvips.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { FileType } from '../arguments.ts';
import type { Origin } from './drawn.ts';
import { bytesOf, drawPlaceholder, type Pixels } from './placeholder.ts';

/** The bytes of a file, and where they are from, where that is not here. */
export interface Source {
  readonly bytes: Buffer;
  readonly origin?: Origin;
}

/** Where pictures come from. */
export interface Sources {
  take(draws: Draws, size: Dimensions, type: FileType): Promise<Source>;
}

/** For all orders: a picture is drawn where the one before it was, unless nobody needed that for so long that it was cleared away. */
export function createPlaceholders(inTurn: Turns): Sources {
  const free: WeakRef<Buffer<ArrayBuffer>>[] = [];
  return {
    take: (draws, size, type) =>
      inTurn(weightOf(size, type), async () => {
        const room = free.pop()?.deref();
        const pixels = await drawPlaceholder(size, draws, room);
        try {
          return { bytes: await ofPixels(pixels, type) };
        } finally {
          free.push(new WeakRef(Buffer.from(pixels.data.buffer)));
        }
      }),
  };
}

/** Seconds that one picture may take. */
const patience = 60;
const quality = 82;

const ofPixels = ({ data, width, height }: Pixels, type: FileType): Promise<Buffer> => {
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  return encoded(picture.timeout({ seconds: patience }), { width, height }, type);
};

/** Of a file that was looked at before: upright, of exactly this size, and without what a camera wrote. */
export const ofFile = (path: string, size: Dimensions, type: FileType): Promise<Buffer> => {
  const picture = sharp(path, { failOn: 'error', limitInputPixels: most.pixels, sequentialRead: true });
  const { width, height } = size;
  return encoded(
    picture.timeout({ seconds: patience }).autoOrient().resize(width, height, { fit: 'cover' }),
    size,
    type,
  );
};

/** Bytes of memory that it takes to write one. What is not written line by line is held several times over. */
export const weightOf = (size: Dimensions, type: FileType): number =>
  bytesOf(size) * (type === 'gif' || type === 'webp' ? 5 : 1);

/** The smallest file there is of a picture is known when all of it has been seen. Of more bytes than this, nobody holds all for that. */
const mostSeen = 12 * 2 ** 20;

/** Larger ones are never asked for. */
export const most = { pixels: 25_000_000, bytes: 20 * 2 ** 20 };

function encoded(picture: Sharp, size: Dimensions, type: FileType): Promise<Buffer> {
  if (type === 'png') return picture.png().toBuffer();
  if (type === 'webp') return picture.webp({ quality }).toBuffer();
  if (type === 'gif') return picture.gif().toBuffer();
  return picture.jpeg({ quality, optimizeCoding: bytesOf(size) <= mostSeen }).toBuffer();
}
