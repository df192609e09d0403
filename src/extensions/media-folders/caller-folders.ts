// Folders as a caller sees and changes them. The rules are in folders.ts and trees.ts.
import type { Caller } from '#kernel/caller.ts';
import type { Content } from '#site/content/content.ts';
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import type { Files } from '#site/files/files.ts';
import type { Settings } from '#site/platform/settings/settings.ts';
import { type TotalsTables, totalOf } from '#site/platform/totals.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import { folderErrors } from './errors.ts';
import { cleanFolderName, folderNameKey, folderNamesIn } from './folder-names.ts';
import type { FolderCounts, FolderTrees } from './folder-tree.ts';
import {
  colorFolder,
  createFolder,
  createFolders,
  type FolderMove,
  maxFilesAtOnce,
  moveFolder,
  type NewFolder,
  renameFolder,
} from './folders.ts';
import type { FolderGallery, GalleryOptions } from './gallery.ts';
import { editableFiles } from './merge-folders.ts';
import { type SettingsGroup, type Sort, saveUserSettings, storedUserSettings } from './settings.ts';
import type { Tables } from './tables.ts';
import type { TreeWrites } from './tree-writes.ts';
import { assignFiles, removeFolders } from './trees.ts';

export interface CallerDeps {
  readonly store: Store<Tables>;
  readonly settings: Settings;
  readonly group: SettingsGroup;
  readonly trees: FolderTrees;
  readonly writes: TreeWrites;
  readonly content: Pick<Content, 'rights'>;
  readonly files: Pick<Files, 'find'>;
  readonly gallery: FolderGallery;
}

/** Files that are neither in the trash nor hidden from lists. */
export async function countAllFiles(db: Reads<TotalsTables & ContentTables>): Promise<number> {
  const totals = ['attachment/inherit', 'attachment/private'].map((key) => totalOf(db, totalTopics.posts, key));
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
}

interface FolderQuery {
  /** Null for none; nothing, where the stored one counts. */
  readonly sort: Sort | null | undefined;
  readonly search: string;
}

export function createFolderViews({ store, settings, group, trees, writes, gallery }: CallerDeps) {
  const { db } = store;
  const treeOf = async (caller: Caller) => trees.of(await writes.ownerOf(caller.id));
  const counts = async (caller: Caller): Promise<FolderCounts> => {
    const { FOLDER_COUNTER_TYPE } = await storedUserSettings(db, caller.id);
    const { enable_cache_optimization } = await settings.read(group);
    const isDeep = FOLDER_COUNTER_TYPE === 'counter_file_in_folder_and_sub';
    return trees.counts(await writes.ownerOf(caller.id), isDeep, enable_cache_optimization === '1');
  };
  return {
    counts,
    async list(caller: Caller, { sort, search }: FolderQuery) {
      if (sort !== undefined)
        await writes.edit(caller, ({ tx }) => saveUserSettings(tx, caller.id, { DEFAULT_SORT_FOLDERS: sort }));
      const tree = await treeOf(caller);
      const { DEFAULT_SORT_FOLDERS } = await storedUserSettings(db, caller.id);
      const whole = DEFAULT_SORT_FOLDERS === null ? tree.roots : tree.sorted(DEFAULT_SORT_FOLDERS.order);
      const key = folderNameKey(cleanFolderName(search));
      return {
        tree: key === '' ? whole : tree.search(key),
        allAttachmentsCount: await countAllFiles(db),
        attachmentsCount: await counts(caller),
      };
    },
    /** Each folder with a hyphen for every level above it. */
    async menu(caller: Caller, prompt: string) {
      const walk = (await treeOf(caller)).walk();
      const options = Array.from(walk, ({ node, level }) => ({ value: node.id, label: '-'.repeat(level) + node.text }));
      return [{ value: 0, label: prompt, disabled: true }, ...options];
    },
    /** Folders of other trees hold nothing for the caller. */
    async gallery(caller: Caller, options: GalleryOptions): Promise<{ html: string }> {
      const tree = await treeOf(caller);
      return { html: await gallery.html({ ...options, folders: options.folders.filter((id) => tree.has(id)) }) };
    },
  };
}

interface NewFolderInput {
  readonly title: string;
  readonly parent: number;
  /** The title holds several names, divided by commas. */
  readonly isMultiple: boolean;
}

export function createFolderEdits(
  { store, writes, content }: CallerDeps,
  counts: (caller: Caller) => Promise<FolderCounts>,
) {
  const { db, engine } = store;
  const { edit } = writes;
  return {
    async create(caller: Caller, input: NewFolderInput) {
      const names = input.isMultiple ? folderNamesIn(input.title) : [];
      const made = await edit(caller, async ({ tx, owner }) =>
        input.isMultiple
          ? createFolders(tx, engine, owner, { parent: input.parent, names })
          : [await createFolder(tx, engine, owner, input)],
      );
      return made.map(newNode);
    },
    async rename(caller: Caller, id: number, title: string): Promise<true> {
      await edit(caller, ({ tx, owner }) => renameFolder(tx, owner, id, title));
      return true;
    },
    async setColor(caller: Caller, id: number, color: string): Promise<true> {
      await edit(caller, ({ tx, owner }) => colorFolder(tx, owner, id, color));
      return true;
    },
    async move(caller: Caller, move: FolderMove): Promise<true | FolderCounts> {
      await edit(caller, ({ tx, owner }) => moveFolder(tx, engine, owner, move));
      const { FOLDER_COUNTER_TYPE } = await storedUserSettings(db, caller.id);
      return FOLDER_COUNTER_TYPE === 'counter_file_in_folder' ? true : counts(caller);
    },
    async remove(caller: Caller, ids: readonly number[]): Promise<FolderCounts> {
      if (ids.length === 0) throw folderErrors.deleteFailed();
      await edit(caller, ({ tx, owner }) => removeFolders(tx, engine, owner, ids));
      return counts(caller);
    },
    /** Numbers that name no file, and files that the caller may not change, are left out. */
    async assign(caller: Caller, folder: number, ids: readonly number[]): Promise<FolderCounts> {
      refuseMany(ids);
      await edit(caller, async ({ tx, owner, asker }) => {
        const files = [...(await editableFiles(tx, engine, ids, { rights: content.rights, asker }))];
        if (files.length === 0)
          throw folderErrors.validationFailed('`ids` names no file that your account can change.');
        await assignFiles(tx, engine, owner, { folder, files });
      });
      return counts(caller);
    },
  };
}

export function refuseMany(ids: readonly number[]): void {
  if (ids.length > maxFilesAtOnce)
    throw folderErrors.validationFailed(`\`ids\` names ${ids.length} files. Send at most ${maxFilesAtOnce}.`);
}

const newNode = ({ id, parent, name }: NewFolder) => ({
  title: name,
  id,
  key: id,
  type: 0,
  parent,
  children: [],
  'data-count': 0,
  'data-id': id,
});

const filesPerPage = 50;

/** Gives files without a stored size the size that they have where they are kept. Answers whether the page held any file. */
export const createStoreSizes =
  ({ store: { db }, files, writes }: CallerDeps) =>
  async (caller: Caller, page: number): Promise<{ success: true; next: '0' | '1' }> => {
    const rows = await db
      .selectFrom('posts')
      .leftJoin('media', 'media.post_id', 'posts.id')
      .select(['posts.id', 'media.file', 'media.size'])
      .where('posts.type', '=', 'attachment')
      .orderBy('posts.id')
      .limit(filesPerPage)
      .offset((Math.max(page, 1) - 1) * filesPerPage)
      .execute();
    const found = await Promise.all(
      rows
        .filter(({ file, size }) => file !== null && size === 0)
        .map(async ({ id, file }) => ({ id, size: (await files.find(file!))?.size ?? 0 })),
    );
    const known = found.filter(({ size }) => size > 0);
    if (known.length > 0)
      await writes.edit(caller, async ({ tx }) => {
        for (const { id, size } of known)
          await tx.updateTable('media').set({ size }).where('post_id', '=', id).execute();
      });
    return { success: true, next: rows.length === 0 ? '0' : '1' };
  };
