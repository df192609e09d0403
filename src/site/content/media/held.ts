// The file of a record, to be worked on: what is known of it, and its bytes laid aside on this machine.
import { Problem } from '#kernel/problem.ts';
import type { Laid } from '#kernel/upload.ts';
import type { Post } from '../posts/post.ts';
import type { LibraryNeeds } from './keeping.ts';
import type { MediaFile } from './media.ts';
import { Malformed } from './picture-errors.ts';
import { besides, filesOf } from './rows.ts';

export interface Held {
  of(post: Post): Promise<MediaFile>;
  /** Of the picture as it came, however large. */
  laid(file: MediaFile, gone: () => Problem): Promise<Laid>;
}

export const originalOf = ({ file, original }: MediaFile): string =>
  original === null ? file : besides(file, original);

export function createHeld({ store, files, spool }: Pick<LibraryNeeds, 'store' | 'files' | 'spool'>): Held {
  return {
    async of({ id }) {
      const file = (await filesOf(store.db, [id])).get(id);
      if (file === undefined) throw new Problem(404, 'rest_post_invalid_id', 'There is no file of this record.');
      return file;
    },
    async laid(file, gone) {
      const opened = await files.open(originalOf(file));
      if (opened === undefined) throw gone();
      return spool(opened.stream);
    },
  };
}

export const unreadable = (cause: unknown): Problem =>
  new Problem(500, 'rest_unknown_image_file_type', 'The picture cannot be read any more.', {}, { cause });

/** What was a picture when it came, and is none now. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Malformed ? unreadable(error) : error;
  }
}
