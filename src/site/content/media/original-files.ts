// The original file of a record: its row, and a copy of its bytes on this machine to work on.
import { Problem } from '#kernel/problem.ts';
import type { Laid } from '#kernel/upload.ts';
import type { Post } from '../posts/post.ts';
import type { MediaFile } from './media.ts';
import { Malformed } from './picture-errors.ts';
import { filesOf, inFolderOf } from './rows.ts';
import type { LibraryDeps } from './store-file.ts';

export interface OriginalFiles {
  of(post: Post): Promise<MediaFile>;
  /** The picture as it was uploaded, however large. */
  copyAside(file: MediaFile, gone: () => Problem): Promise<Laid>;
}

export const originalPath = ({ file, original }: MediaFile): string =>
  original === null ? file : inFolderOf(file, original);

export function createOriginalFiles({
  store,
  files,
  spool,
}: Pick<LibraryDeps, 'store' | 'files' | 'spool'>): OriginalFiles {
  return {
    async of({ id }) {
      const file = (await filesOf(store.db, [id])).get(id);
      if (file === undefined) throw new Problem(404, 'rest_post_invalid_id', 'There is no file of this record.');
      return file;
    },
    async copyAside(file, gone) {
      const opened = await files.open(originalPath(file));
      if (opened === undefined) throw gone();
      return spool(opened.stream);
    },
  };
}

export const unreadable = (cause: unknown): Problem =>
  new Problem(500, 'rest_unknown_image_file_type', 'The picture cannot be read any more.', {}, { cause });

/** Reports a file that was a picture when it was uploaded and is damaged now. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Malformed ? unreadable(error) : error;
  }
}
