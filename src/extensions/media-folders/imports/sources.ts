// Folders that other tools left in this site: where they are looked for, and which of them are still offered.
import { unescapeHtml } from '#lib/html.ts';
import { folderErrors } from '../errors.ts';
import { cleanFolderName, maxNameLength } from '../folder-names.ts';
import type { SourceFolder } from '../merge-folders.ts';
import type { Db, Tx } from '../tables.ts';

export interface ImportSource {
  readonly prefix: string;
  readonly name: string;
  readonly author: string;
  readonly kind: 'taxonomy' | 'table' | 'items';
  readonly taxonomy?: string;
  readonly description: string;
}

const sources: readonly ImportSource[] = [
  {
    prefix: 'terms',
    name: 'Media categories',
    author: '',
    kind: 'taxonomy',
    taxonomy: 'media_category',
    description: 'Folders that are terms of the taxonomy media_category.',
  },
  {
    prefix: 'tree',
    name: 'Folder tables',
    author: '',
    kind: 'table',
    description: 'Folders in the tables media_folder_sources and media_folder_source_items.',
  },
  {
    prefix: 'items',
    name: 'Folder items',
    author: '',
    kind: 'items',
    description: 'Folders that are records of the type media_folder_item, with files attached to them.',
  },
];

export const legacyTaxonomy = 'media_folder_legacy';
const itemType = 'media_folder_item';

export function getSource(prefix: string): ImportSource {
  const source = sources.find((one) => one.prefix === prefix);
  if (source === undefined) throw folderErrors.importSourceNotFound(prefix);
  return source;
}

// What each source holds.

export async function foldersOfSource(db: Db, { kind, taxonomy = '' }: ImportSource): Promise<SourceFolder[]> {
  if (kind === 'taxonomy')
    return namesAsText(
      await db
        .selectFrom('terms')
        .select(['id', 'parent', 'name'])
        .where('taxonomy', '=', taxonomy)
        .orderBy('id')
        .execute(),
    );
  if (kind === 'items') {
    const items = db.selectFrom('posts').select(['id', 'parent', 'title as name']).where('type', '=', itemType);
    return items.where('status', '<>', 'trash').orderBy('menu_order').orderBy('id').execute();
  }
  const rows = await db.selectFrom('media_folder_sources').select(['id', 'parent', 'name']).orderBy('id').execute();
  return rows.map((row) => ({ ...row, parent: Math.max(row.parent, 0) }));
}

/** Names of terms are HTML. */
const namesAsText = (terms: readonly SourceFolder[]): SourceFolder[] =>
  terms.map((term) => ({ ...term, name: unescapeHtml(term.name) }));

export interface SourceFile {
  readonly folder: number;
  readonly file: number;
}

export async function filesOfSource(db: Db, { kind, taxonomy = '' }: ImportSource): Promise<SourceFile[]> {
  if (kind === 'taxonomy')
    return db
      .selectFrom('post_terms')
      .innerJoin('posts', 'posts.id', 'post_terms.post_id')
      .select(['post_terms.term_id as folder', 'posts.id as file'])
      .where('post_terms.taxonomy', '=', taxonomy)
      .where('posts.type', '=', 'attachment')
      .orderBy('folder')
      .orderBy('file')
      .execute();
  if (kind === 'items')
    return db
      .selectFrom('posts')
      .innerJoin('posts as folder', 'folder.id', 'posts.parent')
      .select(['posts.parent as folder', 'posts.id as file'])
      .where('posts.type', '=', 'attachment')
      .where('folder.type', '=', itemType)
      .orderBy('folder')
      .orderBy('file')
      .execute();
  return db
    .selectFrom('media_folder_source_items')
    .innerJoin('posts', 'posts.id', 'attachment_id')
    .select(['folder_id as folder', 'posts.id as file'])
    .where('posts.type', '=', 'attachment')
    .orderBy('folder')
    .orderBy('file')
    .execute();
}

/** Each folder behind the one it lies in; those that lie below themselves are left out. A name that cannot be stored gets its number. */
export function inOrder(folders: readonly SourceFolder[]): SourceFolder[] {
  const known = new Set(folders.map(({ id }) => id));
  const below = Map.groupBy(folders, ({ parent }) => (known.has(parent) ? parent : 0));
  const ordered: SourceFolder[] = [];
  const waiting = [...(below.get(0) ?? [])].reverse();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    ordered.push({ id: folder.id, parent: known.has(folder.parent) ? folder.parent : 0, name: storableName(folder) });
    waiting.push(...(below.get(folder.id) ?? []).toReversed());
  }
  return ordered;
}

export const storableName = ({ id, name }: Pick<SourceFolder, 'id' | 'name'>): string =>
  Array.from(cleanFolderName(name)).slice(0, maxNameLength).join('') || `Folder ${id}`;

// What was imported, and which offers are hidden.

export const setFlag = (tx: Tx, name: string): Promise<unknown> =>
  tx
    .insertInto('media_folder_flags')
    .values({ name })
    .onConflict((on) => on.doNothing())
    .execute();

export const clearImportFlags = (tx: Tx): Promise<unknown> => tx.deleteFrom('media_folder_flags').execute();

/** `all`: of every source. */
export async function hideImport(tx: Tx, prefix: string): Promise<void> {
  for (const one of prefix === 'all' ? sources : [getSource(prefix)]) await setFlag(tx, `hidden ${one.prefix}`);
}

/** Every source, with how many folders it holds and whether it is still offered. */
export async function listSources(db: Db) {
  const flags = new Set((await db.selectFrom('media_folder_flags').select('name').execute()).map(({ name }) => name));
  return Promise.all(
    sources.map(async (source) => ({
      ...source,
      counter: (await foldersOfSource(db, source)).length,
      completed: flags.has(`completed ${source.prefix}`),
      noThanks: flags.has(`hidden ${source.prefix}`),
    })),
  );
}
