// Encodes pictures again, to make their files smaller, and looks at pixels to judge the result. Libvips does it off this thread.
import { stat, unlink } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import type { GrayPixels } from '#lib/ssim.ts';
import { sharp } from './libvips.ts';
import { failed, pictureLimits } from './picture-errors.ts';
import { type Dimensions, fitted } from './sizes.ts';

export interface Encoding {
  readonly mime: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif';
  readonly quality: number;
  /** Keeps what the camera wrote; else the color profile alone. */
  readonly keepsMetadata?: boolean;
  /** Writes colors of the web, without a profile. */
  readonly isForWeb?: boolean;
  readonly isLossless?: boolean;
  /** At full resolution of colors, which JPEG halves otherwise. */
  readonly hasFullColor?: boolean;
  readonly isAnimated?: boolean;
  /** A JPEG for which the encoder would take hundreds of megabytes: its colors have half the resolution, and it gets 3 % larger. */
  readonly isLarge?: boolean;
  /** Stretches the picture to this size. */
  readonly size?: Dimensions | undefined;
}

export interface Encoded extends Dimensions {
  readonly path: string;
  readonly bytes: number;
}

const longest = 60;

const opened = (path: string, isAnimated = false): Sharp =>
  sharp(path, { failOn: 'error', limitInputPixels: pictureLimits.pixels, animated: isAnimated, sequentialRead: true })
    .timeout({ seconds: longest })
    .autoOrient();

export async function encodePicture(from: string, to: string, encoding: Encoding): Promise<Encoded> {
  const { size, isAnimated = false } = encoding;
  const whole = opened(from, isAnimated);
  const resized = size === undefined ? whole : whole.resize({ ...size, fit: 'fill' });
  const { width, height, pageHeight } = await withMetadata(coded(resized, encoding), encoding).toFile(to).catch(failed);
  return { path: to, width, height: pageHeight ?? height, bytes: await bytesOf(to) };
}

function coded(picture: Sharp, { mime, quality, isLossless = false, hasFullColor, isLarge = false }: Encoding): Sharp {
  if (mime === 'image/png') return picture.png({ palette: true, quality, compressionLevel: 9, effort: 7 });
  if (mime === 'image/webp') return picture.webp({ quality, lossless: isLossless, effort: 4 });
  if (mime === 'image/avif') return picture.avif({ quality, effort: 2 });
  const chromaSubsampling = hasFullColor && !isLarge ? '4:4:4' : '4:2:0';
  return picture.jpeg({ quality, mozjpeg: true, optimiseScans: !isLarge, chromaSubsampling });
}

function withMetadata(picture: Sharp, { keepsMetadata = false, isForWeb = false }: Encoding): Sharp {
  if (isForWeb) return picture.toColourspace('srgb');
  return keepsMetadata ? picture.keepMetadata() : picture.keepIccProfile();
}

export interface PictureFacts {
  readonly isOpaque: boolean;
  /** At most `most` + 1. */
  readonly colors: number;
}

/** Whether no pixel lets the background through, and how many colors there are at least. */
export async function factsOf(path: string, size: Dimensions, most: number): Promise<PictureFacts> {
  const { isOpaque } = await opened(path).stats().catch(failed);
  const small = fitted(size, boxOfPixels(size));
  const pixels = opened(path)
    .toColourspace('srgb')
    .removeAlpha()
    .resize({ ...small, fit: 'fill', kernel: 'nearest' });
  const data = await pixels.raw({ depth: 'uchar' }).toBuffer().catch(failed);
  const seen = new Set<number>();
  for (let at = 0; at + 2 < data.length && seen.size <= most; at += 3)
    seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
  return { isOpaque, colors: seen.size };
}

const comparedPixels = 1_000_000;

/** A box with the shape of the picture that holds a million pixels at most. */
function boxOfPixels({ width, height }: Dimensions): Dimensions {
  const scale = Math.min(1, Math.sqrt(comparedPixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** The size at which pictures of this size are compared. */
export const comparedSize = (size: Dimensions): Dimensions => fitted(size, boxOfPixels(size));

/** The lightness of all pixels, for a comparison. Reads all of the file: one that breaks off is `Malformed`. */
export async function grayPixels(path: string, { width, height }: Dimensions, isAnimated = false): Promise<GrayPixels> {
  const flat = opened(path, isAnimated).flatten({ background: '#808080' });
  const gray = flat.resize({ width, height, fit: 'fill' }).toColourspace('b-w');
  const { data, info } = await gray.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }).catch(failed);
  if (info.channels === 1) return { data, width: info.width, height: info.height };
  return { data: firstChannel(data, info.channels), width: info.width, height: info.height };
}

const firstChannel = (data: Buffer, channels: number): Uint8Array =>
  Uint8Array.from({ length: data.length / channels }, (_, at) => data[at * channels]!);

/** Whether a picture stores its colors at full resolution. Most cameras halve it. */
export async function codingOf(path: string): Promise<{ readonly hasFullColor: boolean; readonly isCmyk: boolean }> {
  const { chromaSubsampling, space } = await sharp(path, { limitInputPixels: false }).metadata().catch(failed);
  return { hasFullColor: chromaSubsampling === '4:4:4', isCmyk: space === 'cmyk' };
}

export const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

/** Removes a result that is not used. */
export const discard = (path: string): Promise<void> => unlink(path).catch(() => {});
