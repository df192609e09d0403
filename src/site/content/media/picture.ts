// Pictures: how large one is, its smaller copies, and changed ones. All of it is done by libvips, off this thread.
import { unlink } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { Problem } from '#kernel/problem.ts';
import { second } from '#lib/spans.ts';
import { inTurn } from '../../outgoing/in-turn.ts';
import type { Edit } from './media.ts';
import { type Dimensions, fitted, largest } from './sizes.ts';

// Every file is seen once: what libvips would remember of it is memory for nothing.
sharp.cache(false);

export interface Picture extends Dimensions {
  /** How the camera was held, 1 to 8; 0 where nobody says. */
  readonly orientation: number;
  readonly isAnimated: boolean;
  /** What the camera wrote, as TIFF. */
  readonly exif: Buffer | undefined;
}

/** A copy, still lying aside. */
export interface Made extends Dimensions {
  readonly path: string;
  readonly size: number;
}

export interface Copy extends Dimensions {
  readonly path: string;
  readonly crop: boolean;
}

export interface Pictures {
  /** Upright. Throws `Malformed` what is none, and 413 what is too much of one. */
  look(path: string, mime: string): Promise<Picture>;
  /** Makes one copy. */
  copy(from: string, mime: string, picture: Picture, copy: Copy): Promise<Made>;
  /** Reads all of it: one that breaks off is `Malformed`. */
  prove(path: string, picture: Picture): Promise<void>;
  /** Another picture, upright, with these changes one after another. */
  change(from: string, mime: string, edits: readonly Edit[], to: string): Promise<void>;
  /** Few files at once are worked on; the others wait. */
  inTurn<R>(work: () => Promise<R>): Promise<R>;
}

/** Bytes that are no picture after all. */
export class Malformed extends Error {}
/** It took too long: what was asked for may still be made later. */
export class OutOfTime extends Error {}

const most = { pixels: 100_000_000, bytes: 50 * 2 ** 20, frames: 500 };
const quality = 82;
const longest = 60;

export interface PicturesOptions {
  /** How long one copy may take, in milliseconds. */
  readonly patience?: number;
}

export const imageTooLarge = (): Problem =>
  new Problem(
    413,
    'image_too_large',
    'The picture is larger than this site works on: 100 megapixels, 50 MiB, 500 frames.',
  );

export const refuseHeavy = (bytes: number): void => {
  if (bytes > most.bytes) throw imageTooLarge();
};

export function createPictures({ patience = longest * second }: PicturesOptions = {}): Pictures {
  const seconds = Math.max(1, Math.round(patience / second));
  const opened = (path: string, isAnimated: boolean): Sharp =>
    sharp(path, { failOn: 'error', limitInputPixels: most.pixels, animated: isAnimated, sequentialRead: true })
      .timeout({ seconds })
      .autoOrient();

  const look = async (path: string, mime: string): Promise<Picture> => {
    const {
      width,
      height,
      pages = 1,
      pageHeight,
      ...said
    } = await sharp(path, { limitInputPixels: false, animated: true }).metadata().catch(malformed);
    const isAnimated = pages > 1 && animates.has(mime);
    const one = pageHeight ?? height;
    if (width * one * (isAnimated ? pages : 1) > most.pixels || (isAnimated && pages > most.frames))
      throw imageTooLarge();
    const orientation = said.orientation ?? 0;
    const lies = orientation >= 5;
    const exif = said.exif?.subarray(said.exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
    return { width: lies ? one : width, height: lies ? width : one, orientation, isAnimated, exif };
  };

  return {
    look,
    copy: async (from, mime, { isAnimated }, { path, width, height, crop }) => {
      const resized = opened(from, isAnimated).resize({ width, height, fit: crop ? 'cover' : 'fill' });
      const { size } = await encoded(resized, mime).toFile(path).catch(failed);
      return { path, width, height, size };
    },
    prove: async (path, { isAnimated }) => {
      await opened(path, isAnimated).resize(8, 8, { fit: 'fill' }).raw().toBuffer().catch(failed);
    },
    change: (from, mime, edits, to) => changed(opened(from, false), mime, edits, to),
    inTurn: inTurn(atOnce),
  };
}

/** Each uses every core by itself. */
const atOnce = 2;
const animates = new Set(['image/gif', 'image/webp']);

const malformed = (cause: unknown): never => {
  throw new Malformed('It cannot be read as a picture.', { cause });
};

const failed = (error: unknown): never => {
  if (error instanceof Error && /timeout/i.test(error.message)) throw new OutOfTime(error.message, { cause: error });
  if (error instanceof Error && /ENOSPC|No space left|unable to write/i.test(error.message)) throw error;
  return malformed(error);
};

/** In the format it came in. Colours become those of the web, and what the camera wrote, places above all, stays in the original. */
function encoded(picture: Sharp, mime: string): Sharp {
  if (mime === 'image/png') return picture.png();
  if (mime === 'image/webp') return picture.webp({ quality });
  if (mime === 'image/gif') return picture.gif();
  if (mime === 'image/avif') return picture.avif({ quality: 60, effort: 2 });
  return picture.jpeg({ quality });
}

/** The copy that stands for a picture that is too large to be shown; nothing where it is not. */
export const scaledDimensions = (picture: Dimensions): Dimensions | undefined =>
  Math.max(picture.width, picture.height) > largest ? fitted(picture, { width: largest, height: largest }) : undefined;

/** Sharp has an order of its own, so each change is a picture of its own. */
async function changed(first: Sharp, mime: string, edits: readonly Edit[], to: string): Promise<void> {
  const between: string[] = [];
  let picture = first;
  try {
    for (const [at, edit] of edits.entries()) {
      const path = `${to}-${at}`;
      between.push(path);
      await picture.png({ compressionLevel: 1 }).toFile(path).catch(failed);
      picture = await edited(path, edit);
    }
    await encoded(picture, mime).toFile(to).catch(failed);
  } finally {
    for (const path of between) await unlink(path).catch(() => {});
  }
}

async function edited(path: string, { rotate, flip, crop }: Edit): Promise<Sharp> {
  const picture = sharp(path, { limitInputPixels: most.pixels });
  if (rotate !== undefined) return picture.rotate(rotate, { background: '#ffffff' });
  if (flip !== undefined) return picture.flip(flip.vertical).flop(flip.horizontal);
  if (crop === undefined) return picture;
  const { width, height } = await picture.metadata();
  const part = (percent: number, whole: number) => Math.round((percent * whole) / 100);
  const left = Math.min(part(crop.left, width), width - 1);
  const top = Math.min(part(crop.top, height), height - 1);
  return picture.extract({
    left,
    top,
    width: Math.max(1, Math.min(part(crop.width, width), width - left)),
    height: Math.max(1, Math.min(part(crop.height, height), height - top)),
  });
}
