// Makes one file smaller. A result counts only if it has fewer bytes, can be decoded, has the right size and looks like the source.
import { type GrayPixels, ssim } from '#lib/ssim.ts';
import {
  bytesOf,
  codingOf,
  comparedSize,
  discard,
  type Encoded,
  type Encoding,
  encodePicture,
  factsOf,
  grayPixels,
} from '#site/content/media/encode.ts';
import { isAnimatedPng, makeLossless } from '#site/content/media/lossless.ts';
import { lookAtPicture, type Picture, pictureTurns } from '#site/content/media/picture.ts';
import { Malformed } from '#site/content/media/picture-errors.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { VariantType } from '#site/content/media/variants.ts';
import type { Level } from './preset-input.ts';

/** A file on this machine, and the picture in it. */
export interface Source {
  readonly path: string;
  readonly mime: Encoding['mime'];
  readonly bytes: number;
  readonly picture: Picture;
}

export interface RecompressOptions {
  readonly level: Level;
  readonly stripsMetadata: boolean;
  /** How large the result is to be. */
  readonly size: Dimensions;
}

type ByLevel = readonly [number, number, number];
/** The first of JPEG and PNG is for pictures that get smaller in pixels. */
const qualities: Readonly<Record<Encoding['mime'], ByLevel>> = {
  'image/jpeg': [92, 82, 70],
  'image/png': [100, 95, 80],
  'image/webp': [82, 75, 65],
  'image/avif': [60, 50, 42],
};
/** The least similarity to the source, 1 for the same. */
export const floors: ByLevel = [0.95, 0.95, 0.92];
const maxPaletteSource = 1_000;
/** A JPEG in place of a PNG has at most this share of its bytes. */
const mostOfPng = 0.9;

const recompressible = new Set<string>(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);
export const isRecompressible = (mime: string): mime is Encoding['mime'] => recompressible.has(mime);

export type Recompress = ReturnType<typeof createRecompress>;

/** All results lie beside the source; the caller removes them. */
export function createRecompress() {
  let counter = 0;
  const aside = ({ path }: Source): string => {
    counter += 1;
    return `${path}-smaller-${counter}`;
  };

  const open = async (path: string, mime: Encoding['mime']): Promise<Source> => {
    const [picture, bytes] = await Promise.all([lookAtPicture(path, mime), bytesOf(path)]);
    return { path, mime, bytes, picture };
  };

  return {
    open,

    /** Undefined if the source stays as it is. */
    recompress: (source: Source, options: RecompressOptions): Promise<Encoded | undefined> =>
      pictureTurns(weightOf(source), async () => {
        if (source.mime === 'image/png' && (await isAnimatedPng(source.path))) return undefined;
        const isSmallerPicture = !isSameSize(options.size, source.picture);
        const lossy = options.level > 0 || isSmallerPicture ? await lossily(source, options, aside(source)) : undefined;
        if (lossy !== undefined || isSmallerPicture) return lossy;
        return stripped(source, options, aside(source));
      }),

    /** The picture as JPEG, if it is a photo without transparency and gets at least 10 % smaller. */
    photoAsJpeg: (source: Source, options: RecompressOptions): Promise<Encoded | undefined> =>
      pictureTurns(weightOf(source), async () => {
        if (await isAnimatedPng(source.path)) return undefined;
        const { isOpaque, colors } = await factsOf(source.path, source.picture, maxPaletteSource);
        if (!isOpaque || colors <= maxPaletteSource) return undefined;
        return asJpeg(source, options, aside(source), mostOfPng);
      }),

    /** A copy of such a picture as JPEG. */
    copyAsJpeg: (source: Source, options: RecompressOptions): Promise<Encoded | undefined> =>
      pictureTurns(weightOf(source), () => asJpeg(source, options, aside(source), 1)),

    /** The same picture in a newer type, if it has fewer bytes than `below`. */
    variant: (
      source: Source,
      { level, size }: Pick<RecompressOptions, 'level' | 'size'>,
      type: VariantType,
      below: number,
    ): Promise<Encoded | undefined> =>
      pictureTurns(weightOf(source), async () => {
        const mime = `image/${type}` as const;
        const isLossless = level === 0 && source.mime === 'image/png' && type === 'webp';
        const encoding: Encoding = { mime, quality: qualities[mime][level], isForWeb: true, isLossless, size };
        return judged(source, encoding, { to: aside(source), below, floor: floors[level] });
      }),
  };
}

/** Bytes of memory: encoders hold all of a picture that loads in several passes. */
const weightOf = ({ picture }: Source): number => Math.max(picture.weight, picture.width * picture.height * 6);

export const isSameSize = (one: Dimensions, other: Dimensions): boolean =>
  one.width === other.width && one.height === other.height;

async function lossily(source: Source, { level, stripsMetadata, size }: RecompressOptions, to: string) {
  const { mime, picture } = source;
  // Libvips changes the colors of print to those of the web, which not every picture survives.
  const { hasFullColor, isCmyk } = await codingOf(source.path);
  if (isCmyk) return undefined;
  const encoding: Encoding = {
    mime,
    quality: qualities[mime][level],
    keepsMetadata: !stripsMetadata,
    hasFullColor: hasFullColor && level < 2,
    isAnimated: picture.isAnimated,
    size: isSameSize(size, picture) ? undefined : size,
  };
  return judged(source, encoding, { to, below: source.bytes, floor: floors[level] });
}

const asJpeg = (source: Source, { level, stripsMetadata, size }: RecompressOptions, to: string, share: number) =>
  judged(
    source,
    { mime: 'image/jpeg', quality: qualities['image/jpeg'][level], keepsMetadata: !stripsMetadata, size },
    { to, below: source.bytes * share, floor: floors[level] },
  );

interface Bar {
  readonly to: string;
  readonly below: number;
  readonly floor: number;
}

/** In pixels. */
const mostDetailed = 16_000_000;

async function judged(source: Source, encoding: Encoding, { to, below, floor }: Bar): Promise<Encoded | undefined> {
  const wanted = encoding.size ?? source.picture;
  const isLarge = wanted.width * wanted.height > mostDetailed;
  const encoded = await encodePicture(source.path, to, { ...encoding, isLarge });
  const isKept = encoded.bytes < below && isSameSize(encoded, wanted) && (await isAlike(source, encoded, floor));
  if (isKept) return encoded;
  await discard(to);
  return undefined;
}

/** Sources as they were compared last: the results in several types have the same size mostly. */
const comparedSources = new WeakMap<Source, GrayPixels>();

async function grayOf(source: Source, { width, height }: Dimensions): Promise<GrayPixels> {
  const known = comparedSources.get(source);
  if (known?.width === width && known.height === height) return known;
  const pixels = await grayPixels(source.path, { width, height }, source.picture.isAnimated);
  comparedSources.set(source, pixels);
  return pixels;
}

/** A result that cannot be decoded is not like the source. */
async function isAlike(source: Source, encoded: Encoded, floor: number): Promise<boolean> {
  const { isAnimated } = source.picture;
  const size = comparedSize(encoded);
  const before = await grayOf(source, size);
  const after = await grayPixels(encoded.path, size, isAnimated).catch((error): GrayPixels | undefined => {
    if (error instanceof Malformed) return undefined;
    throw error;
  });
  return after !== undefined && after.data.length === before.data.length && (await ssim(before, after)) >= floor;
}

async function stripped(source: Source, { stripsMetadata }: RecompressOptions, to: string) {
  const { path, mime, picture } = source;
  const bytes = await makeLossless(path, to, mime, { stripsMetadata, orientation: picture.orientation });
  if (bytes === undefined) return undefined;
  const after = await lookAtPicture(to, mime).catch(() => undefined);
  const encoded: Encoded = { path: to, width: picture.width, height: picture.height, bytes };
  if (after !== undefined && isSameSize(after, picture) && (await isAlike(source, encoded, 0.9999))) return encoded;
  await discard(to);
  return undefined;
}
