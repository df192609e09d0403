// The rules of media folders: where folders lie, what they are called there, and their order. Every function works in the open write of
// its caller, who holds the lock of the tree.
import { sql } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import { folderErrors } from './errors.ts';
import { demandFolderName, folderNameKey, withSuffix } from './folder-names.ts';
import { amongIds, childrenOf, type FolderRow, findFolder, foldersAround, pathOf, subtreesOf } from './queries.ts';
import type { Tx } from './tables.ts';

export const maxDepth = 50;
export const maxFolders = 10_000;
export const maxFilesAtOnce = 1_000;
const maxSuffix = 1_000;

export interface FolderMove {
  readonly folder: number;
  /** The folder it is dropped on, or beside. */
  readonly target: number;
  /** What the target lies in. */
  readonly parent: number;
  readonly position: number;
}

/** A write takes a new version of the tree, which every row that it changes gets. */
export async function nextVersion(tx: Tx, owner: number, isDeletion = false): Promise<number> {
  const { version } = await tx
    .insertInto('media_folder_trees')
    .values({ owner, version: 1, deleted: isDeletion ? 1 : 0 })
    .onConflict((on) =>
      on.column('owner').doUpdateSet({
        version: sql<number>`media_folder_trees.version + 1`,
        ...(isDeletion && { deleted: sql<number>`media_folder_trees.version + 1` }),
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export async function getFolder(tx: Tx, owner: number, id: number): Promise<FolderRow> {
  const folder = await findFolder(tx, owner, id);
  if (folder === undefined) throw folderErrors.folderNotFound(id);
  return folder;
}

/** The folder that others are put in, with the number of levels above them. */
async function demandParent(tx: Tx, owner: number, parent: number): Promise<number[]> {
  if (parent === 0) return [];
  await getFolder(tx, owner, parent);
  return pathOf(tx, parent);
}

const tooDeep = () =>
  folderErrors.folderLimit(`A folder can be at most ${maxDepth} levels deep. Choose a folder at a higher level.`);

async function demandRoom(tx: Tx, owner: number, more: number): Promise<void> {
  const { folders } = await tx
    .selectFrom('media_folders')
    .select((row) => row.fn.countAll<number>().as('folders'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  if (folders + more > maxFolders)
    throw folderErrors.folderLimit(`A tree holds at most ${maxFolders} folders. Delete folders that you do not need.`);
}

/** Folders of these names in this place, by the name as it is compared. */
export async function foldersNamed(
  tx: Tx,
  owner: number,
  parent: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('media_folders')
    .select(['id', 'name_key'])
    .where('owner', '=', owner)
    .where('parent', '=', parent)
    .where('name_key', 'in', keys)
    .execute();
  return new Map(rows.map(({ id, name_key }) => [name_key, id]));
}

async function isNameTaken(tx: Tx, owner: number, parent: number, key: string, except = 0): Promise<boolean> {
  const id = (await foldersNamed(tx, owner, parent, [key])).get(key);
  return id !== undefined && id !== except;
}

/** The name, or with the first number behind it that is free in this place. */
export async function freeFolderName(tx: Tx, owner: number, parent: number, name: string): Promise<string> {
  if (!(await isNameTaken(tx, owner, parent, folderNameKey(name)))) return name;
  const siblings = await childrenOf(tx, owner, parent);
  const taken = new Set(siblings.map(({ name_key }) => name_key));
  for (let number = 1; number <= maxSuffix; number++) {
    const other = withSuffix(name, number);
    if (!taken.has(folderNameKey(other))) return other;
  }
  throw folderErrors.folderNameExists(name);
}

export async function nextOrder(tx: Tx, owner: number, parent: number): Promise<number> {
  const { last } = await tx
    .selectFrom('media_folders')
    .select((row) => row.fn.max<number | null>('ord').as('last'))
    .where('owner', '=', owner)
    .where('parent', '=', parent)
    .executeTakeFirstOrThrow();
  return last === null ? 0 : last + 1;
}

export interface NewFolder {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
}

/** Rows of one statement. */
const maxRows = 200;

/** New folders behind those that are there. Names are clean, and each is free in its place. */
export async function insertRows(
  tx: Tx,
  engine: EngineName,
  owner: number,
  folders: readonly Omit<NewFolder, 'id'>[],
): Promise<NewFolder[]> {
  if (folders.length === 0) return [];
  await demandRoom(tx, owner, folders.length);
  const version = await nextVersion(tx, owner);
  const parents = [...new Set(folders.map(({ parent }) => parent))];
  const last = await tx
    .selectFrom('media_folders')
    .select((row) => ['parent', row.fn.max<number>('ord').as('ord')])
    .where('owner', '=', owner)
    .where(amongIds(engine, 'parent', parents))
    .groupBy('parent')
    .execute();
  const next = new Map(last.map(({ parent, ord }) => [parent, ord + 1]));
  const rows = folders.map(({ parent, name }) => {
    const ord = next.get(parent) ?? 0;
    next.set(parent, ord + 1);
    return { owner, parent, name, name_key: folderNameKey(name), ord, color: '', version };
  });
  const made: NewFolder[] = [];
  for (let at = 0; at < rows.length; at += maxRows) {
    const some = tx.insertInto('media_folders').values(rows.slice(at, at + maxRows));
    made.push(...(await some.returning(['id', 'parent', 'name']).execute()));
  }
  return made;
}

/** One folder, which must not be there yet. */
export async function createFolder(
  tx: Tx,
  engine: EngineName,
  owner: number,
  input: { readonly parent: number; readonly title: string },
): Promise<NewFolder> {
  const name = demandFolderName(input.title);
  if ((await demandParent(tx, owner, input.parent)).length >= maxDepth) throw tooDeep();
  if (await isNameTaken(tx, owner, input.parent, folderNameKey(name))) throw folderErrors.folderNameExists(name);
  return (await insertRows(tx, engine, owner, [{ parent: input.parent, name }]))[0]!;
}

/** Several folders; those that are there already are left out. */
export async function createFolders(
  tx: Tx,
  engine: EngineName,
  owner: number,
  input: { readonly parent: number; readonly names: readonly string[] },
): Promise<NewFolder[]> {
  if ((await demandParent(tx, owner, input.parent)).length >= maxDepth) throw tooDeep();
  if (input.names.length === 0) return [];
  const there = await foldersNamed(tx, owner, input.parent, input.names.map(folderNameKey));
  const names = input.names.filter((name) => !there.has(folderNameKey(name)));
  return insertRows(
    tx,
    engine,
    owner,
    names.map((name) => ({ parent: input.parent, name })),
  );
}

export async function renameFolder(tx: Tx, owner: number, id: number, title: string): Promise<void> {
  const folder = await getFolder(tx, owner, id);
  const name = demandFolderName(title);
  if (name === folder.name) return;
  const key = folderNameKey(name);
  if (await isNameTaken(tx, owner, folder.parent, key, id)) throw folderErrors.folderNameExists(name);
  await updateFolder(tx, owner, id, { name, name_key: key });
}

export async function colorFolder(tx: Tx, owner: number, id: number, color: string): Promise<void> {
  await getFolder(tx, owner, id);
  await updateFolder(tx, owner, id, { color });
}

export const updateFolder = async (tx: Tx, owner: number, id: number, change: Partial<FolderRow>): Promise<unknown> =>
  tx
    .updateTable('media_folders')
    .set({ ...change, version: await nextVersion(tx, owner) })
    .where('id', '=', id)
    .execute();

/** The two folders, and those that lie where the folder goes. */
async function foldersOfMove(tx: Tx, owner: number, { folder: id, target: beside, position, parent }: FolderMove) {
  const rows = await foldersAround(tx, owner, [id, beside], position === 0 ? beside : parent);
  const get = (one: number): FolderRow => {
    const row = rows.find((row) => row.id === one);
    if (row === undefined) throw folderErrors.folderNotFound(one);
    return row;
  };
  return { folder: get(id), target: get(beside), rows };
}

/** Puts a folder into another one, or beside it, and numbers the folders of that place anew. */
export async function moveFolder(tx: Tx, engine: EngineName, owner: number, move: FolderMove): Promise<void> {
  const { position } = move;
  if (position !== -1 && position !== 0 && position !== 1)
    throw folderErrors.invalidParams('`dropPosition` must be -1, 0 or 1.');
  if (move.folder === move.target)
    throw folderErrors.invalidParams('`dragNodeId` and `dropNodeId` must be two different folders.');
  const { folder, target, rows } = await foldersOfMove(tx, owner, move);
  if (position !== 0 && target.parent !== move.parent)
    throw folderErrors.invalidParams(`\`toParentId\` must be ${target.parent}, the parent of folder ${target.id}.`);
  const parent = position === 0 ? target.id : target.parent;
  const above = parent === 0 ? [] : await pathOf(tx, parent);
  if (above.includes(folder.id)) throw folderErrors.folderCycle();
  if (parent !== folder.parent) {
    const below = await subtreesOf(tx, engine, owner, [folder.id]);
    if (above.length + Math.max(...below.map(({ level }) => level)) > maxDepth) throw tooDeep();
    if (await isNameTaken(tx, owner, parent, folder.name_key)) throw folderErrors.folderNameExists(folder.name);
  }
  const siblings = rows.filter((row) => row.parent === parent && row.id !== folder.id);
  const at = position === 1 ? siblings.findIndex(({ id }) => id === target.id) + 1 : 0;
  await renumber(tx, owner, parent, siblings.toSpliced(at, 0, folder), position === 1 ? 0 : 1);
}

/** Numbers these folders of one place from `first`. Folders that have their number already are not written. */
async function renumber(
  tx: Tx,
  owner: number,
  parent: number,
  folders: readonly FolderRow[],
  first: number,
): Promise<void> {
  const changed = folders
    .map((folder, at) => ({
      id: folder.id,
      ord: first + at,
      isSame: folder.ord === first + at && folder.parent === parent,
    }))
    .filter(({ isSame }) => !isSame);
  if (changed.length === 0) return;
  const version = await nextVersion(tx, owner);
  for (let at = 0; at < changed.length; at += maxRows) {
    const some = changed.slice(at, at + maxRows);
    const cases = some.map(({ id, ord }) => sql`when ${sql.lit(id)} then ${sql.lit(ord)}`);
    await tx
      .updateTable('media_folders')
      .set({ parent, version, ord: sql<number>`case id ${sql.join(cases, sql` `)} else ord end` })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
  }
}
