// One more copy of a picture, in dimensions that no registered size has. It is listed among the sizes of the record, so it goes with it.
import { unlink } from 'node:fs/promises';
import { fileErrors } from '../../files/errors.ts';
import { findPost, postLock } from '../posts/rows.ts';
import { mediaTopic } from '../tables.ts';
import { extensionOf, mimeOf } from './file-kinds.ts';
import {
  type CropRequest,
  filesOf,
  inFolderOf,
  type MediaFile,
  type MediaLibrary,
  rowOf,
  type SubSize,
} from './media.ts';
import { settlePaths } from './reserved-paths.ts';
import { type LibraryDeps, type OriginalFiles, originalPath } from './store-file.ts';
import { variantsWhere } from './variants.ts';

const gone = () => fileErrors.fileNotFound().saying('The original file of this record does not exist.');

export function createCrop(deps: LibraryDeps, originals: OriginalFiles): MediaLibrary['crop'] {
  const { store, files, pictures, places, events } = deps;

  return async (post, request, { again }) => {
    const file = await originals.of(post);
    const known = file.sizes[request.label];
    const isThere = known !== undefined && (await files.find(inFolderOf(file.file, known.file))) !== undefined;
    if (isThere && !request.overwrite) return known;
    const source = await originals.copyAside(file, gone);
    const aside = `${source.path}-crop`;
    try {
      const mime = mimeOf(originalPath(file));
      const picture = await pictures.look(source.path, mime);
      const made = await pictures.inTurn(picture.weight, () =>
        pictures.copy(source.path, mime, picture, { ...request, path: aside, until: pictures.until() }),
      );
      const { path, reserved } = await pathFor(deps, { file, request, post: post.id });
      try {
        await files.adopt(path, aside, { type: mime });
        const { width, height, size: filesize } = made;
        const copy: SubSize = { file: path.replace(/^.*\//, ''), width, height, filesize, mime_type: mime };
        await store.write(async (tx, during) => {
          await during.lock(postLock(post.id));
          const now = await findPost(tx, post.id);
          const before = (await filesOf(tx, [post.id])).get(post.id);
          if (now === undefined || before === undefined) throw gone();
          await again?.(tx, now);
          const { post_id: _, ...row } = rowOf(post.id, {
            ...before,
            sizes: { ...before.sizes, [request.label]: copy },
            // Variants of the copy that was there show what was there before.
            variants: variantsWhere(before.variants, (name) => name !== copy.file),
          });
          await tx.updateTable('media').set(row).where('post_id', '=', post.id).execute();
          await settlePaths(tx, reserved, post.id);
          during.changed(mediaTopic);
        });
        events.emit('media.copied', { id: post.id });
        return copy;
      } catch (error) {
        await places.clear(reserved).catch(() => {});
        throw error;
      }
    } finally {
      await source.release();
      await unlink(aside).catch(() => {});
    }
  };
}

interface Place {
  readonly file: MediaFile;
  readonly request: CropRequest;
  readonly post: number;
}

/** The path that the record has for it, else one that is free. */
async function pathFor({ store, places }: LibraryDeps, { file, request, post }: Place) {
  const original = originalPath(file);
  const stem = original.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  const paths = (one: string) => [inFolderOf(original, `${one}${request.suffix}.${extensionOf(original)}`)];
  const [wanted] = paths(stem) as [string];
  const own = await store.db
    .selectFrom('media_paths')
    .select('path')
    .where('path', '=', wanted)
    .where('post_id', '=', post)
    .executeTakeFirst();
  if (own !== undefined) return { path: wanted, reserved: [] };
  const [path] = paths(await places.take({ stem, paths })) as [string];
  return { path, reserved: [path] };
}
