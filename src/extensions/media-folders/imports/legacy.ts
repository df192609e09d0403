// Folders of an earlier storage of the same feature: terms of a taxonomy of files.
import type { EngineName } from '#store/engine.ts';
import { folderErrors } from '../errors.ts';
import { assignEach, editableFiles, type FileEditor, mergeFolders, type SourceFolder } from '../merge-folders.ts';
import type { Db, Tx } from '../tables.ts';
import {
  filesOfSource,
  foldersOfSource,
  type ImportSource,
  inOrder,
  legacyTaxonomy,
  setFlag,
  storableName,
} from './sources.ts';

const legacyChunk = 20;
const maxLegacyRecords = 100;

export interface LegacyFolder {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  readonly created_by: number;
  readonly attachments: readonly number[];
}

const legacySource: ImportSource = {
  prefix: 'legacy',
  name: '',
  author: '',
  kind: 'taxonomy',
  taxonomy: legacyTaxonomy,
  description: '',
};

/** In pieces of 20, each folder behind the one it lies in. */
export async function legacyFolders(db: Db): Promise<LegacyFolder[][]> {
  const folders = inOrder(await foldersOfSource(db, legacySource));
  const files = Map.groupBy(await filesOfSource(db, legacySource), ({ folder }) => folder);
  const owners = await db
    .selectFrom('term_meta')
    .innerJoin('terms', 'terms.id', 'term_meta.term_id')
    .select(['term_id', 'value'])
    .where('terms.taxonomy', '=', legacyTaxonomy)
    .where('key', '=', 'folder_owner')
    .execute();
  const ownerOf = new Map(owners.map(({ term_id, value }) => [term_id, Number(JSON.parse(value)) || 0]));
  const records = folders.map((folder) => ({
    ...folder,
    created_by: ownerOf.get(folder.id) ?? 0,
    attachments: (files.get(folder.id) ?? []).map(({ file }) => file),
  }));
  const pieces: LegacyFolder[][] = [];
  for (let at = 0; at < records.length; at += legacyChunk) pieces.push(records.slice(at, at + legacyChunk));
  return pieces;
}

/** Each folder comes into the tree of its owner; one of an account that does not exist comes into the shared tree. */
export async function insertLegacyFolders(
  tx: Tx,
  engine: EngineName,
  records: readonly LegacyFolder[],
  editor: FileEditor,
): Promise<number> {
  if (records.length === 0)
    throw folderErrors.validationFailed('`folders` is empty. Send a piece of the legacy folders.');
  if (records.length > maxLegacyRecords)
    throw folderErrors.validationFailed(`\`folders\` has ${records.length} records. Send at most ${maxLegacyRecords}.`);
  const users = await tx.selectFrom('users').select('id').execute();
  const accounts = new Set(users.map(({ id }) => id));
  const mapped = await tx.selectFrom('media_folder_legacy').select(['legacy_id', 'folder_id']).execute();
  const known = new Map(mapped.map(({ legacy_id, folder_id }) => [legacy_id, folder_id]));
  const unique = [...new Map(records.map((record) => [record.id, record])).values()];
  for (const [owner, own] of Map.groupBy(unique, ({ created_by }) => (accounts.has(created_by) ? created_by : 0))) {
    const named = own.map((record) => ({ id: record.id, parent: record.parent, name: storableName(record) }));
    const { ids } = await mergeFolders(tx, engine, owner, inOrderOf(named), known);
    const assignments = own.flatMap(({ id, attachments }) =>
      attachments.flatMap((file) => (ids.has(id) ? [{ file, folder: ids.get(id)! }] : [])),
    );
    const there = await editableFiles(
      tx,
      engine,
      assignments.map(({ file }) => file),
      editor,
    );
    await assignEach(
      tx,
      engine,
      owner,
      assignments.filter(({ file }) => there.has(file)),
    );
    for (const { id } of own) {
      const folder_id = ids.get(id);
      if (folder_id === undefined) continue;
      const row = { legacy_id: id, folder_id };
      await tx
        .insertInto('media_folder_legacy')
        .values(row)
        .onConflict((on) => on.column('legacy_id').doUpdateSet({ folder_id }))
        .execute();
    }
  }
  await setFlag(tx, 'migrated');
  return unique.length;
}

/** Folders of one piece that lie below themselves are left out. */
const inOrderOf = (folders: readonly SourceFolder[]): SourceFolder[] => {
  const own = new Set(folders.map(({ id }) => id));
  const tops = folders.map((folder) => ({ ...folder, parent: own.has(folder.parent) ? folder.parent : 0 }));
  const parents = new Map(folders.map(({ id, parent }) => [id, parent]));
  return inOrder(tops).map((folder) => ({ ...folder, parent: parents.get(folder.id)! }));
};

/** Deletes the legacy folders with what says which files lay in them. */
export async function wipeLegacyFolders(tx: Tx): Promise<void> {
  const terms = tx.selectFrom('terms').select('id').where('taxonomy', '=', legacyTaxonomy);
  await tx.deleteFrom('post_terms').where('taxonomy', '=', legacyTaxonomy).execute();
  await tx.deleteFrom('term_meta').where('term_id', 'in', terms).execute();
  await tx.deleteFrom('terms').where('taxonomy', '=', legacyTaxonomy).execute();
  await tx.deleteFrom('media_folder_legacy').execute();
}
