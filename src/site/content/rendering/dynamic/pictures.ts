// Pictures that stand for records, as far as everybody may see them.
import { sql } from 'kysely';
import type { MediaFile } from '../../media/media.ts';
import { besides } from '../../media/rows.ts';
import { worded } from './markup.ts';
import type { BlockNeeds } from './needs.ts';

export interface Shown {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
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

function shown(media: Pick<BlockNeeds['media'], 'urlOf'>, one: MediaFile, size: string): Shown[] {
  const copy = Object.hasOwn(one.sizes, size) ? one.sizes[size] : undefined;
  const { width, height } = copy ?? one;
  if (width === null || height === null) return [];
  const file = copy === undefined ? one.file : besides(one.file, copy.file);
  return [{ src: media.urlOf(file), width, height, alt: one.alt_text }];
}

export const pictureHtml = ({ src, width, height, alt }: Shown, classes: string, more = ''): string =>
  `<img width="${width}" height="${height}" src="${worded(src)}" class="${classes}" alt="${worded(alt)}"${more} />`;

/** The name of a size as it may stand in a class. */
export const sizeIn = (said: string, usual: string): string => (/^[\w-]{1,50}$/.test(said) ? said : usual);
