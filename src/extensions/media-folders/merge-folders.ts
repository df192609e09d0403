// Brings folders from elsewhere into a tree: what is there already is used, the rest is made. For CSV files and for imports.
import type { Asker } from '#kernel/schema.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { EngineName } from '#store/engine.ts';
import { folderErrors } from './errors.ts';
import { folderNameKey } from './folder-names.ts';
import { insertRows, maxDepth } from './folders.ts';
import { amongIds, foldersOfFiles } from './queries.ts';
import type { Db, Tx } from './tables.ts';
import { assignFiles } from './trees.ts';

export interface SourceFolder {
  /** Its number elsewhere. */
  readonly id: number;
  /** The number elsewhere of what it lies in; 0 at the top. */
  readonly parent: number;
  /** As it is stored here. */
  readonly name: string;
}

export interface Merged {
  /** The numbers here by those elsewhere. */
  readonly ids: Map<number, number>;
  readonly created: number;
  readonly reused: number;
}

/**
 * Makes the folders level by level, in their order. A folder whose parent is neither among them nor in `known` comes to the top.
 * Folders that lie below themselves are left out.
 */
export async function mergeFolders(
  tx: Tx,
  engine: EngineName,
  owner: number,
  folders: readonly SourceFolder[],
  known: ReadonlyMap<number, number> = new Map(),
): Promise<Merged> {
  const ids = await knownFolders(tx, engine, owner, known);
  const own = new Set(folders.map(({ id }) => id));
  const below = Map.groupBy(folders, ({ id, parent }) => (own.has(parent) && parent !== id ? parent : 0));
  let level = below.get(0) ?? [];
  let [created, reused] = [0, 0];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) throw folderErrors.folderLimit(`A folder can be at most ${maxDepth} levels deep.`);
    const wanted = level.map((folder) => ({
      folder,
      parent: ids.get(folder.parent) ?? 0,
      key: folderNameKey(folder.name),
    }));
    const places = new Map<string, number>();
    const parents = [...new Set(wanted.map(({ parent }) => parent))];
    for (const row of await siblingsIn(tx, engine, owner, parents)) places.set(`${row.parent} ${row.name_key}`, row.id);
    const missing = new Map<string, { parent: number; name: string }>();
    for (const { folder, parent, key } of wanted)
      if (!places.has(`${parent} ${key}`)) missing.set(`${parent} ${key}`, { parent, name: folder.name });
    for (const row of await insertRows(tx, engine, owner, [...missing.values()]))
      places.set(`${row.parent} ${folderNameKey(row.name)}`, row.id);
    for (const { folder, parent, key } of wanted) ids.set(folder.id, places.get(`${parent} ${key}`)!);
    created += missing.size;
    reused += wanted.length - missing.size;
    level = level.flatMap(({ id }) => below.get(id) ?? []);
  }
  return { ids, created, reused };
}

/** Of the folders that were made before, those that are still there. */
async function knownFolders(tx: Tx, engine: EngineName, owner: number, known: ReadonlyMap<number, number>) {
  if (known.size === 0) return new Map<number, number>();
  const rows = await tx
    .selectFrom('media_folders')
    .select('id')
    .where('owner', '=', owner)
    .where(amongIds(engine, 'id', [...known.values()]))
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  return new Map([...known].filter(([, id]) => there.has(id)));
}

const siblingsIn = (tx: Tx, engine: EngineName, owner: number, parents: readonly number[]) =>
  tx
    .selectFrom('media_folders')
    .select(['id', 'parent', 'name_key'])
    .where('owner', '=', owner)
    .where(amongIds(engine, 'parent', parents))
    .execute();

/** Who may edit files: asked for each. */
export interface FileEditor {
  readonly rights: Pick<ContentRights, 'mayEdit'>;
  readonly asker: Asker;
}

const maxRead = 5_000;

/** Those of these numbers that are files which the asker may edit. */
export async function editableFiles(
  db: Db,
  engine: EngineName,
  ids: readonly number[],
  { rights, asker }: FileEditor,
): Promise<Set<number>> {
  const editable = new Set<number>();
  for (let at = 0; at < ids.length; at += maxRead) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'author', 'parent', 'status_before'])
      .where(amongIds(engine, 'id', ids.slice(at, at + maxRead)))
      .where('type', '=', 'attachment')
      .execute();
    for (const row of rows) if (rights.mayEdit(asker, row)) editable.add(row.id);
  }
  return editable;
}

export interface FileAssignment {
  readonly file: number;
  readonly folder: number;
}

/** Puts each file where the last assignment says. With `keep`, files stay that lie in a folder of the tree. Answers how many were put. */
export async function assignEach(
  tx: Tx,
  engine: EngineName,
  owner: number,
  assignments: readonly FileAssignment[],
  mode: 'move' | 'keep' = 'move',
): Promise<number> {
  const last = new Map(assignments.map(({ file, folder }) => [file, folder]));
  if (mode === 'keep')
    for (const file of (await foldersOfFiles(tx, engine, owner, [...last.keys()])).keys()) last.delete(file);
  for (const [folder, files] of Map.groupBy(last.keys(), (file) => last.get(file)!))
    await assignFiles(tx, engine, owner, { folder, files });
  return last.size;
}
