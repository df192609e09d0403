// Makes the copies that a picture lacks because there was no time for them when it was uploaded.
import type { Problem } from '#kernel/problem.ts';
import { forEachConcurrently } from '#lib/concurrency.ts';
import { fileErrors } from '../../files/errors.ts';
import type { Post } from '../posts/post.ts';
import type { Writing } from '../tables.ts';
import { type Copies, inOrder, makeCopies, nameOf, scaled, wantedCopies } from './copies.ts';
import { extensionOf, isSizable, mimeOf } from './file-kinds.ts';
import { filesOf, inFolderOf, type MediaFile, type MediaLibrary, pathsOf, rowOf, type SubSize } from './media.ts';
import type { Made } from './picture.ts';
import type { Placeholder } from './placeholder.ts';
import { settlePaths } from './reserved-paths.ts';
import { eachOf, type LibraryDeps, type OriginalFiles, originalPath, readable, unfinished } from './store-file.ts';

/** Copies with the names they were kept by. */
interface More {
  readonly sizes: Readonly<Record<string, SubSize>>;
  /** The one that stands for a picture which is too large to be shown. */
  readonly shown?: Pick<MediaFile, 'file' | 'size' | 'width' | 'height'>;
  readonly isUnfinished: boolean;
  readonly placeholder?: Placeholder | undefined;
  /** The paths that were free until now. */
  readonly taken: readonly string[];
}

export function createFinish(needs: LibraryDeps, originals: OriginalFiles): MediaLibrary['finish'] {
  const { places, posts } = needs;

  const kept = async (post: Post, more: More, doing: Parameters<MediaLibrary['finish']>[1]) => {
    const alongside = async (tx: Writing) => {
      const now = (await filesOf(tx, [post.id])).get(post.id);
      if (now === undefined) throw gone();
      const next = withMore(now, more);
      const { post_id: _, ...row } = rowOf(post.id, next);
      await tx.updateTable('media').set(row).where('post_id', '=', post.id).execute();
      await settlePaths(tx, pathsOf(next), post.id);
    };
    try {
      return await posts.change(post, {}, { ...doing, unfiltered: true, alongside });
    } finally {
      // What somebody else made meanwhile stays, and what was made here for that is of no use; what cannot be cleared now is swept.
      if (more.taken.length > 0) await places.clear(more.taken).catch(() => {});
    }
  };

  return async (post, doing) => {
    const file = await originals.of(post);
    if (!isSizable(post.mime_type)) return post;
    const source = await originals.copyAside(file, gone);
    try {
      const more = await readable(() => missing(needs, source.path, file));
      if (more === undefined) return post;
      const done = await kept(post, more, doing);
      needs.events.emit('media.copied', { id: post.id });
      if (more.isUnfinished) throw unfinished(post);
      return done;
    } finally {
      await source.release();
    }
  };
}

const gone = (): Problem => fileErrors.fileNotFound().saying('The file of this record does not exist.');

/** What somebody else made meanwhile stays. */
function withMore(file: MediaFile, { sizes, shown, isUnfinished, placeholder }: More): MediaFile {
  const isShown = shown !== undefined && file.original === null;
  return {
    ...file,
    ...(isShown && { ...shown, original: file.file.replace(/^.*\//, '') }),
    sizes: inOrder({ ...sizes, ...file.sizes }),
    isUnfinished,
    placeholder: placeholder ?? file.placeholder,
  };
}

/** Made, named and put where files are; nothing where none is missing. */
async function missing(needs: LibraryDeps, path: string, file: MediaFile): Promise<More | undefined> {
  const original = originalPath(file);
  const mime = mimeOf(original);
  const picture = await needs.pictures.look(path, mime);
  // One that was to have no copies at all is shown as it is.
  const lacksShown = file.isUnfinished && file.original === null;
  const lacking = wantedCopies({ mime, picture }, needs.sizes).filter(({ label }) =>
    label === scaled ? lacksShown : !(label in file.sizes),
  );
  if (lacking.length === 0 && file.placeholder !== undefined)
    return file.isUnfinished ? { sizes: {}, isUnfinished: false, taken: [] } : undefined;
  const copies = await makeCopies(needs.pictures, { path, mime, picture }, lacking, file);
  try {
    return await put(needs, copies, file);
  } finally {
    await copies.release();
  }
}

async function put({ places, files }: LibraryDeps, copies: Copies, file: MediaFile): Promise<More> {
  const original = originalPath(file);
  const extension = extensionOf(original);
  const mime_type = mimeOf(original);
  const own = original.replace(/^.*\//, '').slice(0, -extension.length - 1);
  const sizes: Record<string, SubSize> = {};
  const taken: string[] = [];
  let shown: More['shown'];
  const putOne = async (label: string, copy: Made) => {
    const name = (stem: string) => (label === scaled ? `${stem}-scaled.${extension}` : nameOf(stem, copy, extension));
    const paths = (stem: string) => [inFolderOf(original, name(stem))];
    const isShared =
      Object.values(sizes).some((size) => size.file === name(own)) || pathsOf(file).includes(paths(own)[0]!);
    const stem = isShared ? own : await places.take({ stem: own, paths });
    const [at] = paths(stem) as [string];
    if (!isShared) taken.push(at);
    await files.adopt(at, copy.path, { type: mime_type });
    const { width, height, size } = copy;
    if (label === scaled) shown = { file: at, size, width, height };
    else sizes[label] = { file: name(stem), width, height, filesize: size, mime_type };
  };
  try {
    await forEachConcurrently(eachOf(copies.made), 1, ([label, copy]) => putOne(label, copy));
  } catch (error) {
    if (taken.length > 0) await places.clear(taken).catch(() => {});
    throw error;
  }
  const { isUnfinished, placeholder } = copies;
  return { sizes, ...(shown && { shown }), isUnfinished, placeholder, taken };
}
