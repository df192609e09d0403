// What is told of a file: its copies, what its maker wrote into it, how long it plays.
import type { Schema } from '#kernel/schema.ts';
import type { SubSize } from '#site/content/media/media.ts';
import { sizesOf } from '#site/content/media/sizes.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { ShownMedium } from './shown-media.ts';

/** What answers say of a file. A sound or film, whose format decides what is known, has further members. */
export function mediaDetails({ t }: Pick<Toolkit<Core>, 't'>): Schema {
  const size = t.object({
    file: t.string(),
    width: t.integer(),
    height: t.integer(),
    filesize: t.optional(t.integer()),
    mime_type: t.string(),
    source_url: t.string({ format: 'uri' }),
  });
  return t.object(
    {
      width: t.optional(t.integer()),
      height: t.optional(t.integer()),
      file: t.optional(t.string()),
      filesize: t.integer(),
      sizes: t.map(size),
      image_meta: t.optional(t.map(t.anyOf([t.string(), t.list(t.string())]))),
      original_image: t.optional(t.string()),
    },
    { additionalProperties: true },
  ) as Schema;
}

export const nameOf = ({ file }: Pick<ShownMedium, 'file'>): string => file.file.replace(/^.*\//, '');

export const isImage = ({ mime_type }: Pick<ShownMedium, 'mime_type'>): boolean => mime_type.startsWith('image/');

/** A picture whose size is known: others are files like any other. */
export const isMeasured = ({ file }: Pick<ShownMedium, 'file'>): boolean =>
  'image_meta' in file.about && file.width !== null && file.height !== null;

export function detailsOf(medium: ShownMedium): Record<string, unknown> {
  const { file } = medium;
  if (!isMeasured(medium)) return { ...file.about, filesize: file.size, sizes: {} };
  const { image_meta, ...more } = file.about;
  return {
    width: file.width,
    height: file.height,
    file: file.file,
    filesize: file.size,
    sizes: sizesShown(medium),
    image_meta,
    ...(file.original !== null && { original_image: file.original }),
    ...more,
  };
}

/** All of them, and the whole of it among them; clients are used to nothing where there are no copies. */
function sizesShown(medium: ShownMedium): Record<string, unknown> {
  const { file, addressOf } = medium;
  if (Object.keys(file.sizes).length === 0) return {};
  return { ...mapped(file.sizes, (size) => ({ ...size, source_url: addressOf(size.file) })), full: fullOf(medium) };
}

const mapped = <T>(sizes: Readonly<Record<string, SubSize>>, make: (size: SubSize) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(sizes).map(([label, size]) => [label, make(size)]));

function fullOf(medium: ShownMedium): Record<string, unknown> {
  const { file, mime_type, addressOf } = medium;
  const name = nameOf(medium);
  return { file: name, width: file.width, height: file.height, mime_type, source_url: addressOf(name) };
}

/** Copies that such a picture should have and has not. */
export function missingSizes(medium: ShownMedium): string[] {
  const { file } = medium;
  if (!isMeasured(medium)) return [];
  const wanted = sizesOf({ width: file.width!, height: file.height! });
  return wanted.map(({ label }) => label).filter((label) => !(label in file.sizes));
}
