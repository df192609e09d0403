// Folders of files in the media library, and what becomes of the folders of an account that is deleted.
import { invalidParam } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { FewRecords } from '#site/content/extending.ts';
import type { Also } from '#site/content/posts/post.ts';
import type { During } from '#store/writing.ts';
import type { CallerDeps } from './caller-folders.ts';
import { folderErrors } from './errors.ts';
import { findFolder, isFolderSmall, isInFolder, isUncategorized } from './queries.ts';
import { ownerIn } from './settings.ts';
import type { Tx } from './tables.ts';
import { lockTree, sharedOwner } from './tree-writes.ts';
import { assignFiles, removeOwner } from './trees.ts';

interface Leaving {
  readonly id: number;
  readonly heir: number | undefined;
}

export function createFileFolders({
  store,
  settings,
  group,
  writes,
}: Pick<CallerDeps, 'store' | 'settings' | 'group' | 'writes'>) {
  const { db, engine } = store;
  const remove = async (tx: Tx, during: During, { id, heir }: Leaving): Promise<void> => {
    for (const owner of [...new Set([id, heir ?? id])].sort((one, other) => one - other)) await lockTree(during, owner);
    await removeOwner(tx, id, heir);
  };
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
    removeOwner: remove,
    /** Trees of accounts that were deleted while media folders were turned off. */
    async sweep(): Promise<{ trees: number }> {
      const query = db.selectFrom('media_folder_trees').select('owner').where('owner', '<>', sharedOwner);
      const lost = await query.where('owner', 'not in', db.selectFrom('users').select('id')).execute();
      for (const { owner } of lost)
        await store.write((tx, during) => remove(tx, during, { id: owner, heir: undefined }));
      return { trees: lost.length };
    },
    async totals(): Promise<{ media_folders: number }> {
      const query = db.selectFrom('media_folders').select((row) => row.fn.countAll<number>().as('folders'));
      return { media_folders: (await query.executeTakeFirstOrThrow()).folders };
    },
  };
}
