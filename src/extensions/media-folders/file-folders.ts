// Folders of files in the media library.
import { invalidParam } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { FewRecords } from '#site/content/extending.ts';
import type { Also } from '#site/content/posts/post.ts';
import type { CallerDeps } from './caller-folders.ts';
import { folderErrors } from './errors.ts';
import { findFolder, isFolderSmall, isInFolder, isUncategorized } from './queries.ts';
import { ownerIn } from './settings.ts';
import type { Tx } from './tables.ts';
import { assignFiles } from './trees.ts';

export function createFileFolders({
  store,
  settings,
  group,
  writes,
}: Pick<CallerDeps, 'store' | 'settings' | 'group' | 'writes'>) {
  const { db, engine } = store;
  return {
    /** A condition on the media library: files in this folder, in none (0), or all (-1). */
    async condition(folder: number, asker: Asker): Promise<Also | FewRecords | undefined> {
      if (folder === -1) return undefined;
      const owner = await writes.ownerOf(asker.id);
      if (folder === 0) return isUncategorized(owner);
      if (folder < 0 || (await findFolder(db, owner, folder)) === undefined) throw folderErrors.folderNotFound(folder);
      return (await isFolderSmall(db, folder)) ? { few: isInFolder(folder, true) } : isInFolder(folder, false);
    },
    async assign(tx: Tx, file: number, folder: number, asker: Asker): Promise<void> {
      if (folder < 0)
        throw invalidParam('mf_folder', { code: 'rest_out_of_bounds', message: 'mf_folder must be 0 or more.' });
      const owner = await ownerIn(tx, settings, group, asker.id);
      await assignFiles(tx, engine, owner, { folder, files: [file] });
    },
    async totals(): Promise<{ media_folders: number }> {
      const query = db.selectFrom('media_folders').select((row) => row.fn.countAll<number>().as('folders'));
      return { media_folders: (await query.executeTakeFirstOrThrow()).folders };
    },
  };
}
