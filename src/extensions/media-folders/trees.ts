// Files in folders, and whole trees: deleting folders, handing a tree over, and mending one. Every function works in the open write of its
// caller, who holds the lock of the tree.
import { sql } from 'kysely';
import { Crossed } from '#lib/failures.ts';
import type { EngineName } from '#store/engine.ts';
import { isDangling } from '#store/problem.ts';
import { folderNameKey } from './folder-names.ts';
import { freeFolderName, getFolder, nextOrder, nextVersion, updateFolder } from './folders.ts';
import { amongIds, childrenOf, subtreesOf } from './queries.ts';
import type { Tx } from './tables.ts';

/** Deletes folders with all that lies below them. The files stay, in no folder. */
export async function removeFolders(
  tx: Tx,
  engine: EngineName,
  owner: number,
  ids: readonly number[],
): Promise<number> {
  const gone = (await subtreesOf(tx, engine, owner, ids)).map(({ id }) => id);
  if (gone.length === 0) return 0;
  await tx
    .deleteFrom('media_folder_items')
    .where(amongIds(engine, 'folder_id', gone))
    .execute();
  await tx
    .deleteFrom('media_folder_legacy')
    .where(amongIds(engine, 'folder_id', gone))
    .execute();
  await tx
    .deleteFrom('media_folders')
    .where(amongIds(engine, 'id', gone))
    .execute()
    .catch(crossed);
  await nextVersion(tx, owner, true);
  return gone.length;
}

/** Puts files into a folder, or into none (0). Each leaves the folder of the tree that it was in. */
export async function assignFiles(
  tx: Tx,
  engine: EngineName,
  owner: number,
  input: { readonly folder: number; readonly files: readonly number[] },
): Promise<void> {
  const { folder, files } = input;
  if (folder !== 0) await getFolder(tx, owner, folder);
  if (files.length === 0) return;
  if (folder === 0) {
    const theirs = tx.deleteFrom('media_folder_items').where('owner', '=', owner);
    await theirs.where(amongIds(engine, 'attachment_id', files)).execute();
    return;
  }
  const rows =
    engine === 'sqlite'
      ? sql`select ${owner}, value, ${folder} from json_each(${JSON.stringify(files)}) where true`
      : sql`select ${owner}::bigint, id, ${folder}::bigint from unnest(${`{${files.join(',')}}`}::bigint[]) as id`;
  await tx
    .insertInto('media_folder_items')
    .columns(['owner', 'attachment_id', 'folder_id'])
    .expression(rows)
    .onConflict((on) =>
      on
        .columns(['owner', 'attachment_id'])
        .doUpdateSet({ folder_id: folder })
        .where('media_folder_items.folder_id', '<>', folder),
    )
    .execute()
    .catch(crossed);
}

/** Uploads and deletions of files do not wait for the lock of the tree. The write that they crossed begins again. */
const crossed = (error: unknown): never => {
  throw isDangling(error) ? new Crossed({ cause: error }) : error;
};

/** Deletes every folder of every account. The files stay. */
export async function removeAllFolders(tx: Tx): Promise<{ readonly folders: number; readonly files: number }> {
  const items = await tx.deleteFrom('media_folder_items').executeTakeFirst();
  const folders = await tx.deleteFrom('media_folders').executeTakeFirst().catch(crossed);
  await tx.deleteFrom('media_folder_legacy').execute();
  await tx
    .updateTable('media_folder_trees')
    .set({ version: sql<number>`version + 1`, deleted: sql<number>`version + 1` })
    .execute();
  return { folders: Number(folders.numDeletedRows), files: Number(items.numDeletedRows) };
}

/** The tree of an account that is deleted: it goes to the heir, or with the account. */
export async function removeOwner(tx: Tx, owner: number, heir: number | undefined): Promise<void> {
  await tx.deleteFrom('media_folder_users').where('user_id', '=', owner).execute();
  await tx.deleteFrom('media_folder_snapshots').where('user_id', '=', owner).execute();
  if (heir === undefined) {
    const folders = tx.selectFrom('media_folders').select('id').where('owner', '=', owner);
    await tx.deleteFrom('media_folder_items').where('owner', '=', owner).execute();
    await tx.deleteFrom('media_folder_legacy').where('folder_id', 'in', folders).execute();
    await tx.deleteFrom('media_folders').where('owner', '=', owner).execute().catch(crossed);
    await tx.deleteFrom('media_folder_trees').where('owner', '=', owner).execute();
    return;
  }
  const roots = await childrenOf(tx, owner, 0);
  const version = await nextVersion(tx, heir);
  let ord = await nextOrder(tx, heir, 0);
  for (const { id, name } of roots) {
    const free = await freeFolderName(tx, heir, 0, name);
    const moved = { owner: heir, name: free, name_key: folderNameKey(free), ord, version };
    await tx.updateTable('media_folders').set(moved).where('id', '=', id).execute();
    ord += 1;
  }
  await tx.updateTable('media_folders').set({ owner: heir, version }).where('owner', '=', owner).execute();
  // A file that the heir has put into a folder stays there.
  const heirs = tx.selectFrom('media_folder_items').select('attachment_id').where('owner', '=', heir);
  await tx.deleteFrom('media_folder_items').where('owner', '=', owner).where('attachment_id', 'in', heirs).execute();
  await tx.updateTable('media_folder_items').set({ owner: heir }).where('owner', '=', owner).execute();
  await tx.deleteFrom('media_folder_trees').where('owner', '=', owner).execute();
}

/** Puts folders at the top whose parent does not exist. */
export async function repairTree(tx: Tx, owner: number): Promise<void> {
  const rows = await tx
    .selectFrom('media_folders')
    .select(['id', 'name'])
    .where('owner', '=', owner)
    .where('parent', '<>', 0)
    .where('parent', 'not in', tx.selectFrom('media_folders').select('id').where('owner', '=', owner))
    .execute();
  for (const { id, name } of rows) {
    const free = await freeFolderName(tx, owner, 0, name);
    await updateFolder(tx, owner, id, { parent: 0, name: free, name_key: folderNameKey(free) });
  }
}
