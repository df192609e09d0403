// Makes the smaller copies of one picture in temporary files, before any of them gets its name.
import { unlink } from 'node:fs/promises';
import type { SubSize } from './media.ts';
import { type Made, type Picture, type Pictures, scaledDimensions } from './picture.ts';
import { OutOfTime, pictureLimits } from './picture-errors.ts';
import { type Dimensions, type Size, sizes, sizesOf } from './sizes.ts';

export interface Source {
  readonly path: string;
  readonly mime: string;
  readonly picture: Picture;
}

export interface Copies {
  readonly made: ReadonlyMap<string, Made>;
  /** Whether some took too long. */
  readonly isUnfinished: boolean;
  /** Gives back the room they take aside. */
  release(): Promise<void>;
}

type Wanted = Pick<Size, 'label' | 'crop'> & Dimensions;

/** The label of the copy that stands for a picture which is too large to be shown. */
export const scaled = 'scaled';

/** Such pictures are worked on one copy after the other: each may need all of it in memory. */
const isHeavy = ({ width, height, weight }: Picture): boolean =>
  width * height > 25_000_000 || weight > pictureLimits.memory / 8;
/** What is animated stays as it is: nobody wants a film of fewer pixels in place of the one they made. */
const isScaled = (mime: string): boolean => mime !== 'image/gif';

export const wantedCopies = ({ mime, picture }: Pick<Source, 'mime' | 'picture'>): Wanted[] => {
  const large = isScaled(mime) ? scaledDimensions(picture) : undefined;
  return [...(large === undefined ? [] : [{ label: scaled, crop: false, ...large }]), ...sizesOf(picture)];
};

export async function makeCopies(
  pictures: Pictures,
  source: Source,
  wanted: readonly Wanted[] = wantedCopies(source),
): Promise<Copies> {
  const { path, mime, picture } = source;
  const place = (label: string) => `${path}-${label}`;
  const release = async (): Promise<void> => {
    for (const { label } of wanted) await unlink(place(label)).catch(() => {});
  };
  const outcomes = await pictures.inTurn(isHeavy(picture) ? picture.weight : picture.weight * wanted.length, () => {
    const until = pictures.until();
    const read = readOnce(pictures, source, wanted, until);
    return eachOf(wanted, picture, async (one) => {
      const from = read !== undefined && isWithin(one, read.size) ? await read.pixels : path;
      return [one.label, await pictures.copy(from, mime, picture, { ...one, path: place(one.label), until })] as const;
    });
  });
  const faults = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const fault = faults.find((one) => !(one instanceof OutOfTime));
  if (fault !== undefined) {
    await release();
    throw fault;
  }
  const made = new Map(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  return { made, isUnfinished: faults.length > 0, release };
}

/** A large picture is read once, for the copy that stands for it; the smaller ones are made of that. */
function readOnce(pictures: Pictures, { path, picture }: Source, wanted: readonly Wanted[], until: number) {
  const size = wanted.find(({ label }) => label === scaled);
  if (size === undefined || picture.isAnimated) return undefined;
  const pixels = pictures.read(path, size, until);
  pixels.catch(() => {}); // heard of by each copy
  return { size, pixels };
}

/** Nothing is ever made larger: of one that is very long or very wide, some copies are larger than that. */
const isWithin = (one: Dimensions, size: Dimensions): boolean => one.width <= size.width && one.height <= size.height;

async function eachOf<T>(wanted: readonly Wanted[], picture: Picture, make: (one: Wanted) => Promise<T>) {
  if (!isHeavy(picture)) return Promise.allSettled(wanted.map(make));
  const outcomes: PromiseSettledResult<T>[] = [];
  for (const one of wanted) outcomes.push(...(await Promise.allSettled([make(one)])));
  return outcomes;
}

export const nameOf = (stem: string, { width, height }: Dimensions, extension: string): string =>
  `${stem}-${width}x${height}.${extension}`;

/** As records show them. */
export const inOrder = (known: Readonly<Record<string, SubSize>>): Record<string, SubSize> => {
  const labels = [...new Set([...sizes.map(({ label }) => label), ...Object.keys(known)])];
  return Object.fromEntries(labels.flatMap((label) => (known[label] === undefined ? [] : [[label, known[label]]])));
};

/** What a record says of its copies. */
export const subSizes = (copies: Copies, stem: string, extension: string, mime_type: string): Record<string, SubSize> =>
  Object.fromEntries(
    [...copies.made]
      .filter(([label]) => label !== scaled)
      .map(([label, { width, height, size: filesize }]) => [
        label,
        { file: nameOf(stem, { width, height }, extension), width, height, filesize, mime_type },
      ]),
  );
