// A picture becomes the bytes of a file. All of it is done by libvips, off this thread.
import type { Sharp } from 'sharp';
import { sharp } from '#site/content/media/libvips.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { FileType } from './args.ts';
import { bytesOf, type Pixels } from './placeholder.ts';

/** Seconds that one picture may take. */
const patience = 60;
const quality = 82;

export const ofPixels = ({ data, width, height }: Pixels, type: FileType): Promise<Buffer> => {
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
