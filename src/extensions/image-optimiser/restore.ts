// Puts the original of an image back, byte for byte, and makes its copies again. Each step can be repeated after a crash.

import { sql } from 'kysely';
import type { Encoding } from '#site/content/media/encode.ts';
import { mimeOf } from '#site/content/media/file-kinds.ts';
import { inFolderOf, type MediaFile, pathsOf, picturePathsOf } from '#site/content/media/media.ts';
import { claimFor } from '#site/content/media/reserved-paths.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Doing } from '#site/identity/doing.ts';
import { imageErrors } from './errors.ts';
import type { OptimiseDeps } from './work.ts';
import { createWorkspace } from './workspace.ts';

interface RestoreDeps extends OptimiseDeps {
  /** The paths that belong to a record, also those that it does not name. */
  pathsOwned(id: number): Promise<readonly string[]>;
}

/** `2026/11/picture.bak.jpg`, as `2026/11/picture.jpg`. */
const restoredPath = (backup: string): string => backup.replace(/\.bak(\.[^./]+)$/, '$1');
const stem = (path: string): string => path.replace(/\.[^./]*$/, '');

/** Returns whether the files have other names now. */
export async function restoreImage(
  deps: RestoreDeps,
  post: Post,
  doing: Doing<Post>,
  goOn: () => Promise<void>,
): Promise<boolean> {
  const { media } = deps;
  const before = (await media.files([post.id])).get(post.id);
  if (before?.backup === undefined) throw imageErrors.noBackup(post.id);
  const backup = inFolderOf(before.file, before.backup);
  const path = restoredPath(backup);
  const claim = claimFor(`restore ${post.id}`);
  const workspace = createWorkspace(deps);
  try {
    const mime = mimeOf(backup) as Encoding['mime'];
    const copy = await workspace.source(backup, mime);
    if (copy === undefined) throw imageErrors.noBackup(post.id);
    const { width, height } = copy.picture;
    const isMoved = !picturePathsOf(before).includes(path);
    const record = (now: MediaFile): MediaFile => ({
      ...now,
      file: path,
      original: null,
      size: copy.bytes,
      width,
      height,
      sizes: isMoved ? {} : now.sizes,
      uploaded: undefined,
      // The smaller copy that was shown in its place is still to be made.
      isUnfinished: now.isUnfinished || now.original !== null,
    });
    const place = await media.reserve(post, path, claim);
    if (place === 'taken') throw imageErrors.backupTaken(path);
    const reserved = place === 'reserved' ? [path] : [];
    const placed = new Map([[path, copy.path]]);
    await media.changeFiles(post, { placed, reserved, claim, record, mime_type: mime }, doing);
    await goOn();
    const restored = { ...post, mime_type: mime };
    const options = { onlyMissing: false, deleteUnregistered: false, isQuiet: true } as const;
    const { file } = await media.regenerate(restored, options, doing);
    const owned = await deps.pathsOwned(post.id);
    await media.changeFiles(
      post,
      {
        placed: new Map(),
        reserved: [],
        claim,
        record: (now) => ({ ...now, variants: undefined, backup: undefined }),
        removed: pathsOf(file),
        moved: movedFiles(owned, file, path),
        alongside: async (tx) => {
          await sql`delete from imgopt_images where post_id = ${post.id}`.execute(tx);
        },
      },
      doing,
    );
    return isMoved;
  } finally {
    await workspace.release();
  }
}

/** Files with another ending that a conversion made, and what stands for each of them now. */
function movedFiles(owned: readonly string[], file: MediaFile, path: string): Map<string, string> {
  const current = picturePathsOf(file);
  const ending = mimeOf(path) === 'image/png' ? 'image/jpeg' : undefined;
  const own = new Set(pathsOf(file));
  const left = owned.filter((one) => !own.has(one) && mimeOf(one) === ending);
  return new Map(left.map((one) => [one, current.find((other) => stem(other) === stem(one)) ?? file.file]));
}
