// Files sorted into folders: one tree that all accounts share, or one for each account.
import type { Writing } from '#site/content/tables.ts';
import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { folderErrors } from './errors.ts';
import { createMediaFolders, type MediaFolders } from './media-folders.ts';
import { publicRoutes } from './public-routes.ts';
import { routes } from './routes.ts';
import { settingsGroup } from './settings.ts';
import { type Tx, tables } from './tables.ts';
import { removeUserTree } from './tree-writes.ts';

/** Columns that hold ids of users; 0 is the shared tree. */
const userColumns = {
  media_folders: ['owner'],
  media_folder_trees: ['owner'],
  media_folder_items: ['owner'],
  media_folder_users: ['user_id'],
  media_folder_snapshots: ['user_id'],
} as const;

export const mediaFolders: Entry<MediaFolders> = (tools) => {
  const { t, sql, field, filter } = tools;
  const group = settingsGroup(tools);
  return {
    name: 'media-folders',
    config,
    errors: folderErrors,
    title: 'Media folders',
    about: 'Files sorted into folders.',
    tables,
    settings: [group],
    users: { columns: userColumns, deleted: removeUserTree },
    nouns: (services) => createMediaFolders({ ...services, group }),
    ends: ({ endDrawings }) => endDrawings(),
    counts: ({ fileFolders }) => fileFolders.totals(),
    extends: {
      attachment: {
        fields: {
          mf_folder: field({
            schema: t.optional(t.integer({ context: [], description: 'The folder that the file is put into.' })),
            of: async () => new Map(),
            rests: [],
            keep: (tx, { id }, folder, { fileFolders }, asker) =>
              fileFolders.assign(tx as unknown as Tx, id, folder, asker),
          }),
        },
        filters: {
          mf_folder: filter({
            schema: t.integer({
              default: -1,
              description: 'Only files in this folder; 0 for those in none, -1 for all.',
            }),
            where: (folder, { fileFolders }, asker) => fileFolders.condition(folder, asker),
          }),
        },
        erased: async (tx: Writing, { id }) =>
          void (await sql`delete from media_folder_items where attachment_id = ${id}`.execute(tx)),
      },
    },
    render: ({ gallery }) => ({ blocks: { 'media-folders/gallery': gallery.block } }),
    routes: { 'mediafolders/v1': routes(tools), 'mediafolders/public/v1': publicRoutes(tools) },
  };
};
