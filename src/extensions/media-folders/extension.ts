// Files sorted into folders: one tree that all accounts share, or one for each account.
import { day } from '#lib/spans.ts';
import type { Writing } from '#site/content/tables.ts';
import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { folderErrors } from './errors.ts';
import { createMediaFolders, type MediaFolders } from './media-folders.ts';
import { publicRoutes } from './public-routes.ts';
import { routes } from './routes.ts';
import { settingsGroup } from './settings.ts';
import { type Tx, tables } from './tables.ts';

interface Nouns extends MediaFolders {
  sweepLater(): Promise<string>;
  forgetOwners(): void;
}

const sweepName = 'media-folders.sweep';

export const mediaFolders: Entry<Nouns> = (tools) => {
  const { t, sql, field, filter } = tools;
  const group = settingsGroup(tools);
  const sweep = tools.job<null>({
    name: sweepName,
    about: 'Deletes folders of accounts that no longer exist',
    attempts: 3,
    run: async (_, __, { fileFolders }) => fileFolders.sweep(),
  });
  return {
    name: 'media-folders',
    config,
    errors: folderErrors,
    title: 'Media folders',
    about: 'Files sorted into folders.',
    tables,
    settings: [group],
    jobs: { kinds: [sweep], schedules: [{ name: sweepName, every: day, add: ({ sweepLater }) => sweepLater() }] },
    nouns(services) {
      const folders = createMediaFolders({ ...services, group });
      const queue = services.queueOf(sweep);
      const forgetOwners = services.identity.users.parting(async (tx, during, leaving) => {
        await folders.fileFolders.removeOwner(tx, during, leaving);
        return undefined;
      });
      return { ...folders, forgetOwners, sweepLater: () => queue.add(null, { key: sweepName }) };
    },
    ends: ({ forgetOwners }) => forgetOwners(),
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
