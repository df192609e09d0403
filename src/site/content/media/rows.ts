// Rows of media files, and the files as the rest of the site sees them.
import type { Insertable, Selectable } from 'kysely';
import { flag } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { ContentTables, MediaTable } from '../tables.ts';
import type { MediaFile, SubSize } from './media.ts';

type Db = Reads<Pick<ContentTables, 'media'>>;

interface Details {
  readonly sizes: Record<string, SubSize>;
  readonly about: Record<string, unknown>;
}

/** A part of one statement each. */
const atOnce = 500;

export async function filesOf(db: Db, posts: readonly number[]): Promise<Map<number, MediaFile>> {
  const found = new Map<number, MediaFile>();
  for (let at = 0; at < posts.length; at += atOnce) {
    const some = posts.slice(at, at + atOnce);
    const rows = await db.selectFrom('media').selectAll().where('post_id', 'in', some).execute();
    for (const row of rows) found.set(row.post_id, fileOf(row));
  }
  return found;
}

export function fileOf({ post_id: _, details, unfinished, ...row }: Selectable<MediaTable>): MediaFile {
  const { sizes, about } = JSON.parse(details) as Details;
  return { ...row, sizes, about, isUnfinished: unfinished === 1 };
}

export const rowOf = (post_id: number, { sizes, about, isUnfinished, ...file }: MediaFile): Insertable<MediaTable> => ({
  ...file,
  post_id,
  details: JSON.stringify({ sizes, about } satisfies Details),
  unfinished: flag(isUnfinished),
});

/** Every path below the uploads that belongs to it. */
export function pathsOf({ file, original, sizes }: MediaFile): string[] {
  const copies = Object.values(sizes).map((size) => inFolderOf(file, size.file));
  return [...new Set([file, ...(original === null ? [] : [inFolderOf(file, original)]), ...copies])];
}

/** The path of another file in the same folder. */
export const inFolderOf = (file: string, name: string): string => file.replace(/[^/]*$/, name);
