// An import in three steps: the folders of a source, its files, and then both into a tree, some at a time.
import { hour } from '#lib/spans.ts';
import type { EngineName } from '#store/engine.ts';
import { folderErrors } from '../errors.ts';
import {
  assignEach,
  editableFiles,
  type FileAssignment,
  type FileEditor,
  mergeFolders,
  type SourceFolder,
} from '../merge-folders.ts';
import type { Tx } from '../tables.ts';
import { filesOfSource, foldersOfSource, getSource, inOrder, type SourceFile, setFlag } from './sources.ts';

const snapshotAge = hour;
const maxFoldersAtOnce = 200;
const maxFilesAtOnce = 5_000;

interface Snapshot {
  readonly folders: readonly SourceFolder[];
  /** Nothing until the files were read. */
  readonly files?: readonly SourceFile[];
  /** The numbers of folders here by those in the source, as far as they are made. */
  readonly ids?: readonly (readonly [number, number])[];
}

interface SnapshotKey {
  readonly user: number;
  readonly prefix: string;
  readonly now: Date;
}

async function saveSnapshot(tx: Tx, { user, prefix, now }: SnapshotKey, snapshot: Snapshot): Promise<void> {
  const row = { created_at: now.toISOString(), source: JSON.stringify(snapshot) };
  await tx
    .insertInto('media_folder_snapshots')
    .values({ user_id: user, prefix, ...row })
    .onConflict((on) => on.columns(['user_id', 'prefix']).doUpdateSet(row))
    .execute();
}

async function getSnapshot(tx: Tx, { user, prefix, now }: SnapshotKey): Promise<Snapshot> {
  const query = tx
    .selectFrom('media_folder_snapshots')
    .selectAll()
    .where('user_id', '=', user)
    .where('prefix', '=', prefix);
  const row = await query.executeTakeFirst();
  if (row === undefined || now.getTime() - Date.parse(row.created_at) > snapshotAge)
    throw folderErrors.importNotPrepared(prefix);
  return JSON.parse(row.source);
}

export async function prepareFolders(tx: Tx, key: SnapshotKey): Promise<{ result: true; counter: number }> {
  const folders = inOrder(await foldersOfSource(tx, getSource(key.prefix)));
  await saveSnapshot(tx, key, { folders });
  return { result: true, counter: folders.length };
}

export async function prepareFiles(tx: Tx, key: SnapshotKey): Promise<{ result: true; counter: number }> {
  const source = getSource(key.prefix);
  const snapshot = await getSnapshot(tx, key);
  const files = await filesOfSource(tx, source);
  await saveSnapshot(tx, key, { folders: snapshot.folders, files });
  return { result: true, counter: files.length };
}

interface ImportRun extends SnapshotKey, FileEditor {
  readonly engine: EngineName;
  readonly owner: number;
  readonly offset: number;
  readonly mode: 'move' | 'keep';
}

/** Does as much as one call may, from `offset`: first the folders, then the files. */
export async function runImport(tx: Tx, run: ImportRun) {
  getSource(run.prefix);
  const { folders, files, ids: known = [] } = await getSnapshot(tx, run);
  if (files === undefined) throw folderErrors.importNotPrepared(run.prefix);
  const total = folders.length + files.length;
  const some = folders.slice(run.offset, run.offset + maxFoldersAtOnce);
  const merged = await mergeFolders(tx, run.engine, run.owner, some, new Map(known));
  const from = Math.max(0, run.offset - folders.length);
  const moved = some.length > 0 ? [] : files.slice(from, from + maxFilesAtOnce);
  const editable = await editableFiles(
    tx,
    run.engine,
    moved.map(({ file }) => file),
    run,
  );
  const assignments = moved.flatMap(({ folder, file }): FileAssignment[] => {
    const here = merged.ids.get(folder);
    return here === undefined || !editable.has(file) ? [] : [{ folder: here, file }];
  });
  const assigned = await assignEach(tx, run.engine, run.owner, assignments, run.mode);
  const offset = Math.min(run.offset + some.length + moved.length, total);
  if (offset < total) await saveSnapshot(tx, run, { folders, files, ids: [...merged.ids] });
  else {
    await tx
      .deleteFrom('media_folder_snapshots')
      .where('user_id', '=', run.user)
      .where('prefix', '=', run.prefix)
      .execute();
    await setFlag(tx, `completed ${run.prefix}`);
  }
  return {
    mess: offset < total ? `Imported ${offset} of ${total}.` : 'The import is complete.',
    next: offset < total,
    offset,
    total,
    folders_created: merged.created,
    folders_reused: merged.reused,
    attachments_assigned: assigned,
    attachments_skipped: moved.length - assigned,
  };
}
