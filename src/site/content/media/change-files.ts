// Replaces files of a record by others, for example by smaller ones of the same picture. Each file is replaced whole. The record is
// written last, so a failure on the way leaves a record whose files all exist.
import { fileErrors } from '../../files/errors.ts';
import type { Doing } from '../../identity/doing.ts';
import type { Post } from '../posts/post.ts';
import { findPost, postLock } from '../posts/rows.ts';
import { mediaTopic, type Writing } from '../tables.ts';
import { mimeOf } from './file-kinds.ts';
import { type ChangedFiles, filesOf, type MediaLibrary, pathsOf, rowOf } from './media.ts';
import { releasePaths, settlePaths } from './reserved-paths.ts';
import type { LibraryDeps } from './store-file.ts';

const gone = () => fileErrors.fileNotFound().saying('This media item does not exist.');

export function createChangeFiles(deps: LibraryDeps): MediaLibrary['changeFiles'] {
  const { store, files, places } = deps;

  return async (post, changes, doing) => {
    const { placed, reserved, claim } = changes;
    try {
      for (const [path, from] of placed) {
        if (!reserved.includes(path) && !(await isOwn(deps, post.id, path))) throw gone();
        await files.adopt(path, from, { type: mimeOf(path) });
      }
      const { file, dropped } = await store.write(async (tx, during) => {
        await during.lock(postLock(post.id));
        during.changed(mediaTopic);
        return save(tx, post, changes, doing);
      });
      await places.clear(dropped).catch(() => {});
      for (const path of changes.moved?.keys() ?? []) await files.erase(path);
      return file;
    } catch (error) {
      // None of this belongs to the record if it was deleted meanwhile.
      await places.clear(reserved, claim).catch(() => {});
      const replaced = [...placed.keys()].filter((path) => !reserved.includes(path));
      await places.clearReleased(replaced).catch(() => {});
      await places.clearUnclaimed(replaced).catch(() => {});
      throw error;
    }
  };
}

async function isOwn({ store }: LibraryDeps, id: number, path: string): Promise<boolean> {
  const row = store.db.selectFrom('media_paths').select('path').where('path', '=', path).where('post_id', '=', id);
  return (await row.executeTakeFirst()) !== undefined;
}

async function save(tx: Writing, { id }: Post, changes: ChangedFiles, { again }: Doing<Post>) {
  const { reserved, claim, record, mime_type, removed = [], moved = new Map<string, string>(), alongside } = changes;
  const now = await findPost(tx, id);
  const before = (await filesOf(tx, [id])).get(id);
  if (now === undefined || before === undefined) throw gone();
  await again?.(tx, now);
  const file = record(before);
  const { post_id: _, ...row } = rowOf(id, file);
  await tx.updateTable('media').set(row).where('post_id', '=', id).execute();
  if (mime_type !== undefined && mime_type !== now.mime_type)
    await tx.updateTable('posts').set({ mime_type }).where('id', '=', id).execute();
  await settlePaths(tx, reserved, id, claim);
  const current = new Set(pathsOf(file));
  const dropped = [...new Set(removed)].filter((path) => !current.has(path) && !moved.has(path));
  await releasePaths(tx, dropped, id);
  await redirect(tx, id, moved, current);
  await alongside?.(tx, file);
  return { file, dropped };
}

/** Requests for a path that was moved twice are sent to where its file is now. */
async function redirect(tx: Writing, post_id: number, moved: ReadonlyMap<string, string>, current: Set<string>) {
  if (moved.size === 0) return;
  const gone = [...moved.keys(), ...current];
  await tx.deleteFrom('media_redirects').where('path', 'in', gone).where('post_id', '=', post_id).execute();
  const rows = Array.from(moved, ([path, target]) => ({ path, target, post_id }));
  for (const { path, target } of rows)
    await tx.updateTable('media_redirects').set({ target }).where('target', '=', path).execute();
  await tx.insertInto('media_redirects').values(rows).execute();
}
