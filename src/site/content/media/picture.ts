// Pictures: how large one is, its smaller copies, and changed ones. All of it is done by libvips, off this thread.
import type { Metadata, Sharp } from 'sharp';
import { createTurns, type Turns } from '#lib/concurrency.ts';
import { second } from '#lib/spans.ts';
import { contentErrors } from '../errors.ts';
import { avifPixels } from './avif.ts';
import { edited, sizesAfter } from './image-edits.ts';
import { sharp } from './libvips.ts';
import type { Edit } from './media.ts';
import type { MetadataBlocks } from './photo-metadata.ts';
import { failed, Malformed, malformed, OutOfTime, pictureLimits } from './picture-errors.ts';
import { type Placeholder, placeholderOf, placeholderSide } from './placeholder.ts';
import { type Dimensions, fitted, largest } from './sizes.ts';

export interface Picture extends Dimensions, MetadataBlocks {
  /** How the camera was held, 1 to 8; 0 where nobody says. */
  readonly orientation: number;
  readonly isAnimated: boolean;
  /** Bytes of memory that reading it takes. */
  readonly weight: number;
  /** Bytes of one colour of one pixel. */
  readonly sample: number;
}

/** A copy, still lying aside. */
export interface Made extends Dimensions {
  readonly path: string;
  readonly size: number;
}

/** A picture that has been read, upright. */
export interface Pixels {
  readonly data: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

interface Copy extends Dimensions {
  readonly path: string;
  readonly crop: boolean;
  /** The side that a crop keeps, as sharp names it; the middle without it. */
  readonly position?: string;
  /** 1 to 100. */
  readonly quality?: number;
  /** As `until` answered. */
  readonly until: number;
}

export interface Pictures {
  /** Upright. Throws `Malformed` what is none, and 413 what is too much of one. */
  look(path: string, mime: string): Promise<Picture>;
  /** By when what is begun now has to be done. */
  until(): number;
  /** Reads one that does not move, and makes it smaller. */
  read(from: string, size: Dimensions, until: number): Promise<Pixels>;
  /** Makes one copy. Throws `OutOfTime` where there is no time left for it. */
  copy(from: string | Pixels, mime: string, picture: Picture, copy: Copy): Promise<Made>;
  /** What stands for the first frame of it until it is there. Reads all of it: one that breaks off is `Malformed`. */
  placeholder(path: string, picture: Pick<Picture, 'isAnimated'>, until: number): Promise<Placeholder>;
  /** Another picture, upright, with these changes one after another. */
  change(from: string, mime: string, edits: readonly Edit[], to: string): Promise<void>;
  /** Few files at once are worked on, and no more than fit into memory; the others wait. */
  readonly inTurn: Turns;
}

const quality = 82;
const longest = 60;

export interface PicturesOptions {
  /** How long all that is made of one picture may take, in milliseconds. Asked for each. */
  readonly patience?: (() => number) | undefined;
}

export function createPictures({ patience = () => longest * second }: PicturesOptions = {}): Pictures {
  const until = () => performance.now() + patience();
  const opened = (path: string, isAnimated: boolean, end = until()): Sharp =>
    sharp(path, { failOn: 'error', limitInputPixels: pictureLimits.pixels, animated: isAnimated, sequentialRead: true })
      .timeout({ seconds: secondsUntil(end) })
      .autoOrient();
  const drawn = ({ data, raw }: Pixels, end: number): Sharp =>
    sharp(data, { raw }).timeout({ seconds: secondsUntil(end) });

  return {
    look: lookAtPicture,
    until,
    read: async (from, { width, height }, end) => {
      const resized = opened(from, false, end).resize({ width, height, fit: 'fill' });
      const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true }).catch(failed);
      return { data, raw: { width, height, channels: info.channels } };
    },
    copy: async (
      from,
      mime,
      { isAnimated },
      { path, width, height, crop, position = 'centre', quality: wanted, until: end },
    ) => {
      const whole = typeof from === 'string' ? opened(from, isAnimated, end) : drawn(from, end);
      const resized = whole.resize({ width, height, fit: crop ? 'cover' : 'fill', position });
      const { size } = await encoded(resized, mime, wanted).toFile(path).catch(failed);
      return { path, width, height, size };
    },
    placeholder: async (path, { isAnimated }, end) => {
      if (isAnimated) await opened(path, true, end).resize(8, 8, { fit: 'fill' }).raw().toBuffer().catch(failed);
      const inside = {
        width: placeholderSide,
        height: placeholderSide,
        fit: 'inside',
        withoutEnlargement: true,
      } as const;
      const small = opened(path, false, end).resize(inside);
      const pixels = small.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' });
      const { data, info } = await pixels.toBuffer({ resolveWithObject: true }).catch(failed);
      return placeholderOf({ data, width: info.width, height: info.height });
    },
    change: (from, mime, edits, to) => {
      const end = until();
      return edited({
        opened: () => opened(from, false, end),
        edits,
        to,
        behind: { r: 255, g: 255, b: 255, alpha: mime === 'image/jpeg' ? 1 : 0 },
        encoded: (picture) => encoded(picture, mime),
        written: async (picture, path) => {
          const seconds = secondsUntil(end);
          return picture.timeout({ seconds }).toFile(path).catch(failed);
        },
      });
    },
    inTurn: pictureTurns,
  };
}

/** As `look` of `Pictures`. */
export async function lookAtPicture(path: string, mime: string): Promise<Picture> {
  const drawn = mime === 'image/avif' ? await avifPixels(path) : 0;
  const {
    width,
    height,
    pages = 1,
    pageHeight,
    ...said
  } = await sharp(path, { limitInputPixels: false, animated: true }).metadata().catch(malformed);
  const isAnimated = pages > 1 && animates.has(mime);
  const one = pageHeight ?? height;
  if (said.mediaType !== mime) throw new Malformed(`It is ${said.mediaType}, not ${mime}.`);
  const pixels = Math.max(width * one * (isAnimated ? pages : 1), drawn);
  const weight = decodeMemory(said, pixels);
  if (pixels > pictureLimits.pixels || weight > pictureLimits.memory || (isAnimated && pages > pictureLimits.frames))
    throw contentErrors.imageTooLarge();
  const orientation = said.orientation ?? 0;
  const lies = orientation >= 5;
  const exif = said.exif?.subarray(said.exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
  const upright = lies ? { width: one, height: width } : { width, height: one };
  return { ...upright, orientation, isAnimated, exif, iptc: said.iptc, weight, sample: sampleBytes(said) };
}

/** Whole ones, as libvips counts. */
function secondsUntil(end: number): number {
  const left = end - performance.now();
  if (left <= 0) throw new OutOfTime('The time limit is over.');
  return Math.ceil(left / second);
}

/** Each uses every core by itself. */
const atOnce = 2;
/** For all of this process, which has one memory. */
export const pictureTurns = createTurns(atOnce, pictureLimits.memory);

const animates = new Set(['image/gif', 'image/webp']);

/** In the format it came in. Colours become those of the web, and what the camera wrote, places above all, stays in the original. */
function encoded(picture: Sharp, mime: string, wanted?: number): Sharp {
  if (mime === 'image/png') return picture.png();
  if (mime === 'image/webp') return picture.webp({ quality: wanted ?? quality });
  if (mime === 'image/gif') return picture.gif();
  if (mime === 'image/avif') return picture.avif({ quality: wanted ?? 60, effort: 2 });
  return picture.jpeg({ quality: wanted ?? quality });
}

/** Bytes of memory that these changes take. 413 where one of them would make more of the picture than is taken. */
export function editWeight(picture: Picture, edits: readonly Edit[]): number {
  const pixels = [picture, ...sizesAfter(picture, edits)].map(({ width, height }) => width * height);
  const largestOf = Math.max(...pixels);
  const weight = Math.max(picture.weight, largestOf * 4 * picture.sample);
  if (largestOf > pictureLimits.pixels || weight > pictureLimits.memory) throw contentErrors.imageTooLarge();
  return weight;
}

/** The copy that stands for a picture that is too large to be shown; nothing where it is not. */
export const scaledDimensions = (picture: Dimensions): Dimensions | undefined =>
  Math.max(picture.width, picture.height) > largest ? fitted(picture, { width: largest, height: largest }) : undefined;

type Coding = Pick<Metadata, 'format' | 'depth' | 'channels' | 'isProgressive' | 'orientation'>;

/** Bytes of one color of one pixel. */
const sampleBytes = ({ depth }: Pick<Coding, 'depth'>): number => (depth === 'uchar' ? 1 : 2);

/**
 * Bytes of memory that decoding takes, which the size of the file does not tell. A picture that is decoded line by line takes hardly
 * any.
 */
export function decodeMemory(coding: Coding, pixels: number): number {
  const { format, channels, isProgressive, orientation = 1 } = coding;
  const whole = pixels * channels * sampleBytes(coding);
  const isByLine = format === 'jpeg' || format === 'png';
  if (isByLine && !isProgressive) return orientation > 1 ? whole : 0;
  if (format === 'gif' || format === 'webp') return pixels * 4;
  // The other formats are held as they are coded and once more as pixels, and HEIF in several ways on the way between the two.
  if (format === 'heif') return 2 * whole + 13 * pixels;
  return format === 'png' ? whole : 2 * whole;
}
