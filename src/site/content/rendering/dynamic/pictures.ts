// Pictures that stand for records, as far as everybody may see them.
import { sql } from 'kysely';
import type { MediaFile } from '../../media/media.ts';
import { backgroundOf, sizedOf, sourcesOf } from '../../media/sources.ts';
import { worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';

export interface Shown {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
  /** Its copies, among which browsers choose. */
  readonly srcset?: string | undefined;
  readonly sizes?: string | undefined;
  /** What is painted there until the picture is. */
  readonly style?: string | undefined;
}

/** By number, in this size, or as they are where they are not kept in it. */
export async function shownPictures(
  { store, media }: Pick<BlockNeeds, 'store' | 'media'>,
  wanted: readonly number[],
  size: string,
): Promise<Map<number, Shown>> {
  const ids = [...new Set(wanted)].filter((id) => id > 0);
  if (ids.length === 0) return new Map();
  const open = await store.db
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', ids)
    .where('type', '=', 'attachment')
    .where('status', '=', 'inherit')
    .where(isWithOpen)
    .execute();
  const files = await media.files(open.map(({ id }) => id));
  return new Map([...files].flatMap(([id, file]) => shown(media, file, size).map((one) => [id, one])));
}

/** What is attached is as what it is attached to. */
const isWithOpen = sql<boolean>`not exists (
  select 1 from posts as host where host.id = posts.parent and host.status <> 'publish')`;

function shown({ urlOf }: Pick<BlockNeeds['media'], 'urlOf'>, picture: MediaFile, size: string): Shown[] {
  const names = Object.keys(picture.sizes);
  const all = sizedOf(picture);
  // The whole of it is the last.
  const one = all.at(names.indexOf(size));
  if (one === undefined) return [];
  const { file, width, height } = one;
  const about = { alt: picture.alt_text, style: backgroundOf(picture) };
  return [{ src: urlOf(file), width, height, ...about, ...sourcesOf(picture, one, urlOf) }];
}

export function pictureHtml({ src, width, height, alt, srcset, sizes, style }: Shown, classes: string): string {
  const copies = srcset === undefined ? '' : ` srcset="${worded(srcset)}" sizes="${worded(sizes ?? '')}"`;
  const painted = style === undefined ? '' : ` style="${style}"`;
  return `<img width="${width}" height="${height}" src="${worded(src)}" class="${classes}" alt="${worded(alt)}"${copies}${painted} />`;
}

/** The name of a size as it may stand in a class. */
export const sizeIn = (said: string, usual: string): string => (/^[\w-]{1,50}$/.test(said) ? said : usual);
