// Makes the smaller copies of one picture in temporary files, before any of them gets its name.
import { unlink } from 'node:fs/promises';
import { builtInSizes, type ImageSize } from '#lib/image-sizes.ts';
import type { SubSize } from './media.ts';
import { type Made, type Picture, type Pictures, type Pixels, scaledDimensions } from './picture.ts';
import { OutOfTime, pictureLimits } from './picture-errors.ts';
import type { Placeholder } from './placeholder.ts';
import { type Dimensions, sizesOf } from './sizes.ts';

export interface Source {
  readonly path: string;
  readonly mime: string;
  readonly picture: Picture;
}

export interface Copies {
  readonly made: ReadonlyMap<string, Made>;
  /** Whether some took too long. */
  readonly isUnfinished: boolean;
  /** Missing when there was no time for it, or nobody asked for it. */
  readonly placeholder?: Placeholder | undefined;
  /** Gives back the room they take aside. */
  release(): Promise<void>;
}

export type WantedCopy = Pick<ImageSize, 'label' | 'crop'> & Dimensions;

export const noCopies: Copies = { made: new Map(), isUnfinished: false, release: async () => {} };

/** The label of the copy that stands for a picture which is too large to be shown. */
export const scaled = 'scaled';

/** Such pictures are worked on one copy after the other: each may need all of it in memory. */
const isHeavy = ({ width, height, weight }: Picture): boolean =>
  width * height > 25_000_000 || weight > pictureLimits.memory / 8;
/** What is animated stays as it is: nobody wants a film of fewer pixels in place of the one they made. */
const isScaled = (mime: string): boolean => mime !== 'image/gif';

export const wantedCopies = (
  { mime, picture }: { readonly mime: string; readonly picture: Dimensions },
  registered: readonly ImageSize[],
): WantedCopy[] => {
  const large = isScaled(mime) ? scaledDimensions(picture) : undefined;
  return [...(large === undefined ? [] : [{ label: scaled, crop: false, ...large }]), ...sizesOf(picture, registered)];
};

/** Makes these copies of it, and its placeholder unless it has one already. */
export async function makeCopies(
  pictures: Pictures,
  source: Source,
  wanted: readonly WantedCopy[],
  has: { readonly placeholder?: Placeholder | undefined } = {},
): Promise<Copies> {
  const { path, mime, picture } = source;
  const place = (label: string) => `${path}-${label}`;
  const release = async (): Promise<void> => {
    for (const { label } of wanted) await unlink(place(label)).catch(() => {});
  };
  const weight = isHeavy(picture) ? picture.weight : picture.weight * Math.max(1, wanted.length);
  const { outcomes, placeholders } = await pictures.inTurn(weight, async () => {
    const until = pictures.until();
    const read = readOnce(pictures, source, wanted, until);
    const outcomes = await eachOf(wanted, picture, async (one) => {
      const from = read !== undefined && isWithin(one, read.size) ? await read.pixels : path;
      return [one.label, await pictures.copy(from, mime, picture, { ...one, path: place(one.label), until })] as const;
    });
    await read?.pixels.then(freePixels, () => {});
    if (has.placeholder !== undefined || outcomes.some(({ status }) => status === 'rejected'))
      return { outcomes, placeholders: [] };
    const from = smallestWhole(wanted);
    const placeholders = await Promise.allSettled([
      from
        ? pictures.placeholder(place(from.label), { isAnimated: false }, until)
        : pictures.placeholder(path, picture, until),
    ]);
    return { outcomes, placeholders };
  });
  const faults = [...outcomes, ...placeholders].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const fault = faults.find((one) => !(one instanceof OutOfTime));
  if (fault !== undefined) {
    await release();
    throw fault;
  }
  const made = new Map(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  const [placeholder = has.placeholder] = placeholders.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  return { made, isUnfinished: faults.length > 0, placeholder, release };
}

/** The placeholder is made of the smallest copy that shows all of the picture. */
const smallestWhole = (wanted: readonly WantedCopy[]): WantedCopy | undefined =>
  wanted.filter(({ crop }) => !crop).sort((one, other) => one.width - other.width)[0];

/** A large picture is read once, as large as the copy that stands for it; the smaller ones are made of that. */
function readOnce(pictures: Pictures, { path, mime, picture }: Source, wanted: readonly WantedCopy[], until: number) {
  const size = isScaled(mime) && wanted.length > 1 ? scaledDimensions(picture) : undefined;
  if (size === undefined || picture.isAnimated) return undefined;
  const pixels = pictures.read(path, size, until);
  pixels.catch(() => {}); // heard of by each copy
  return { size, pixels };
}

/** Left to the garbage collector, 15 MB a picture make it stop the process and look through all of its memory. */
function freePixels({ data: { buffer, byteLength } }: Pixels): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Nothing is ever made larger: of one that is very long or very wide, some copies are larger than that. */
const isWithin = (one: Dimensions, size: Dimensions): boolean => one.width <= size.width && one.height <= size.height;

async function eachOf<T>(wanted: readonly WantedCopy[], picture: Picture, make: (one: WantedCopy) => Promise<T>) {
  if (!isHeavy(picture)) return Promise.allSettled(wanted.map(make));
  const outcomes: PromiseSettledResult<T>[] = [];
  for (const one of wanted) outcomes.push(...(await Promise.allSettled([make(one)])));
  return outcomes;
}

export const nameOf = (stem: string, { width, height }: Dimensions, extension: string): string =>
  `${stem}-${width}x${height}.${extension}`;

/** As records show them. */
export const inOrder = (known: Readonly<Record<string, SubSize>>): Record<string, SubSize> => {
  const labels = [...new Set([...builtInSizes.map(({ label }) => label), ...Object.keys(known)])];
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
