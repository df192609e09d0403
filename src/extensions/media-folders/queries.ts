// What is read of media folders: rows of one tree, how many files each holds, and which files a folder holds.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import type { Db } from './tables.ts';

export interface FolderRow {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly name_key: string;
  readonly ord: number;
  readonly color: string;
  readonly version: number;
}

const columns = ['id', 'parent', 'name', 'name_key', 'ord', 'color', 'version'] as const;

/** A list of any length as one parameter, so that there is one statement to prepare. */
export const amongIds = (engine: EngineName, column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${`{${ids.join(',')}}`}::bigint[])`;

/** Folders that changed after this version; all of them after version 0. */
export const foldersSince = (db: Db, owner: number, version: number): Promise<FolderRow[]> =>
  db
    .selectFrom('media_folders')
    .select(columns)
    .where('owner', '=', owner)
    .where('version', '>', version)
    .orderBy('version')
    .execute();

/** The version of the tree, and the one at which folders were deleted last. */
export async function treeState(
  db: Db,
  owner: number,
): Promise<{ readonly version: number; readonly deleted: number }> {
  const query = db.selectFrom('media_folder_trees').select(['version', 'deleted']).where('owner', '=', owner);
  return (await query.executeTakeFirst()) ?? { version: 0, deleted: 0 };
}

export const findFolder = (db: Db, owner: number, id: number): Promise<FolderRow | undefined> =>
  db.selectFrom('media_folders').select(columns).where('id', '=', id).where('owner', '=', owner).executeTakeFirst();

export const childrenOf = (db: Db, owner: number, parent: number): Promise<FolderRow[]> =>
  db
    .selectFrom('media_folders')
    .select(columns)
    .where('owner', '=', owner)
    .where('parent', '=', parent)
    .orderBy('ord')
    .orderBy('id')
    .execute();

/** These folders, and all that lie in this one, in order: what a drag looks at, in one query. */
export const foldersAround = (db: Db, owner: number, ids: readonly number[], parent: number): Promise<FolderRow[]> =>
  db
    .selectFrom('media_folders')
    .select(columns)
    .where('owner', '=', owner)
    .where((is) => is.or([is('parent', '=', parent), is('id', 'in', ids)]))
    .orderBy('ord')
    .orderBy('id')
    .execute();

/** More levels than a tree may have: a damaged tree ends the walk, too. */
const maxWalk = 100;

/** The folder and what it lies in, from below. */
export async function pathOf(db: Db, id: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    with recursive path(id, parent, level) as (
      select id, parent, 1 from media_folders where id = ${id}
      union all
      select up.id, up.parent, path.level + 1 from media_folders as up
        join path on up.id = path.parent where path.level < ${maxWalk})
    select id from path order by level`.execute(db);
  return rows.rows.map((row) => row.id);
}

/** The folders and everything below them, with the level of each, from 1. */
export async function subtreesOf(
  db: Db,
  engine: EngineName,
  owner: number,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly level: number }[]> {
  const rows = await sql<{ id: number; level: number }>`
    with recursive below(id, level) as (
      select id, 1 from media_folders where owner = ${owner} and ${amongIds(engine, 'id', ids)}
      union all
      select child.id, below.level + 1 from media_folders as child
        join below on child.parent = below.id where below.level < ${maxWalk})
    select id, max(level) as level from below group by id`.execute(db);
  return rows.rows;
}

/** How many files lie in each folder of the tree, without those in the trash. One query for all folders. */
export async function filesPerFolder(db: Db, owner: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('media_folder_items')
    .select((row) => ['folder_id', row.fn.countAll<number>().as('files')])
    .where('owner', '=', owner)
    .where(sql<SqlBool>`attachment_id not in (select id from posts where type = 'attachment' and status = 'trash')`)
    .groupBy('folder_id')
    .execute();
  return new Map(rows.map(({ folder_id, files }) => [folder_id, files]));
}

/** The numbers of the files in a folder, in order; `limit` of them where one is given. */
export async function filesInFolder(db: Db, folder: number, limit?: number): Promise<number[]> {
  const query = db
    .selectFrom('media_folder_items')
    .innerJoin('posts', 'posts.id', 'attachment_id')
    .select('attachment_id')
    .where('folder_id', '=', folder)
    .where('posts.status', '<>', 'trash')
    .orderBy('attachment_id');
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  return rows.map(({ attachment_id }) => attachment_id);
}

/** Which of these folders each of these files lies in, by the number of the file. */
export async function foldersOfFiles(
  db: Db,
  engine: EngineName,
  owner: number,
  files: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('media_folder_items')
    .select(['attachment_id', 'folder_id'])
    .where('owner', '=', owner)
    .where(amongIds(engine, 'attachment_id', files))
    .execute();
  return new Map(rows.map(({ attachment_id, folder_id }) => [attachment_id, folder_id]));
}

/** All files of all folders of the owners, by folder. */
export async function allItems(db: Db, owner?: number): Promise<Map<number, number[]>> {
  const query = db
    .selectFrom('media_folder_items')
    .select(['folder_id', 'attachment_id'])
    .orderBy('folder_id')
    .orderBy('attachment_id');
  const rows = await (owner === undefined ? query : query.where('owner', '=', owner)).execute();
  const all = new Map<number, number[]>();
  for (const { folder_id, attachment_id } of rows) {
    const files = all.get(folder_id);
    if (files === undefined) all.set(folder_id, [attachment_id]);
    else files.push(attachment_id);
  }
  return all;
}

/** A folder that holds at most so many files is read first, and its files are sorted; a larger one is looked for along the list. */
const fewFiles = 1_000;

export async function isFolderSmall(db: Db, folder: number): Promise<boolean> {
  const rows = await db
    .selectFrom('media_folder_items')
    .select('attachment_id')
    .where('folder_id', '=', folder)
    .limit(fewFiles + 1)
    .execute();
  return rows.length <= fewFiles;
}

/** A condition on `posts`: only files of this folder. */
export const isInFolder = (folder: number, isSmall: boolean): RawBuilder<SqlBool> =>
  isSmall
    ? sql<SqlBool>`posts.id in (select attachment_id from media_folder_items where folder_id = ${folder})`
    : sql<SqlBool>`exists (select 1 from media_folder_items as item
        where item.attachment_id = posts.id and item.folder_id = ${folder})`;

/** A condition on `posts`: only files in no folder of this tree. */
export const isUncategorized = (owner: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select 1 from media_folder_items as item
    where item.owner = ${owner} and item.attachment_id = posts.id)`;
