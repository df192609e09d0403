// A picture in all its sizes, among which a browser chooses.
import { inFolderOf, type MediaFile } from './media.ts';
import { isOpaque } from './placeholder.ts';
import { variantTypes } from './variants.ts';

/** What is to be known of a picture for that. */
export type Sizable = Pick<MediaFile, 'file' | 'width' | 'height' | 'sizes' | 'variants'>;

/** The style that paints the color of a picture where it will be; nothing for one that lets its background through. */
export const backgroundOf = ({ placeholder }: Pick<MediaFile, 'placeholder'>): string | undefined =>
  placeholder && isOpaque(placeholder) ? `background-color:${placeholder.color}` : undefined;

/** A picture in one of its sizes. */
export interface Sized {
  /** Below the uploads. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

/** Its copies as they were made, and the whole of it; nothing where its size is not known. */
export function sizedOf({ file, width, height, sizes }: Sizable): Sized[] {
  if (width === null || height === null) return [];
  const copies = Object.values(sizes).map((copy) => ({ ...copy, file: inFolderOf(file, copy.file) }));
  return [...copies, { file, width, height }];
}

/** Wider ones cost more than they show. */
const widest = 2_048;

interface Sources {
  readonly srcset: string;
  readonly sizes: string;
}

/** As attributes of the one that is shown, so wide; nothing where there is no other of its shape. */
export function sourcesOf(
  picture: Sizable,
  shown: Sized,
  urlOf: (file: string) => string,
  width = shown.width,
): Sources | undefined {
  const alike = alikeOf(picture, shown);
  if (alike.length < 2) return undefined;
  return {
    srcset: alike.map((one) => `${urlOf(one.file)} ${one.width}w`).join(', '),
    sizes: `(max-width: ${width}px) 100vw, ${width}px`,
  };
}

/** The one that is shown, and the others of its shape. */
function alikeOf(picture: Sizable, shown: Sized): Sized[] {
  const alike = new Map([[shown.width, shown]]);
  for (const one of sizedOf(picture))
    if (one.width <= widest && !alike.has(one.width) && isAlike(shown, one)) alike.set(one.width, one);
  return [...alike.values()];
}

/** The same choice in newer types, the best type first. A size without a file of the type is given as it is. */
export function newerSourcesOf(picture: Sizable, shown: Sized, urlOf: (file: string) => string) {
  const { variants = {} } = picture;
  const alike = alikeOf(picture, shown);
  return variantTypes.flatMap((type) => {
    const has = ({ file }: Sized): boolean => variants[file.replace(/^.*\//, '')]?.[type] !== undefined;
    if (!alike.some(has)) return [];
    const all = alike.map((one) => ({ url: urlOf(has(one) ? `${one.file}.${type}` : one.file), width: one.width }));
    const srcset = all.length < 2 ? all[0]!.url : all.map(({ url, width }) => `${url} ${width}w`).join(', ');
    return [{ type: `image/${type}`, srcset }];
  });
}

/** Of the same shape, but for a pixel of rounding: the others were cut. */
function isAlike(one: Sized, other: Sized): boolean {
  const [small, large] = one.width <= other.width ? [one, other] : [other, one];
  return Math.abs(Math.round((large.height * small.width) / large.width) - small.height) <= 1;
}
