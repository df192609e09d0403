// Folders that come and go as a whole: CSV files, imports from other tools, and deleting everything.
import { isUtf8 } from 'node:buffer';
import type { Caller } from '#kernel/caller.ts';
import type { Upload } from '#kernel/upload.ts';
import { uploadedBytes } from '#site/files/files.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Events } from '#site/platform/events.ts';
import type { Log } from '#store/engine.ts';
import type { CallerDeps } from './caller-folders.ts';
import {
  backedUpFolders,
  backUpFolders,
  type ExportedFolder,
  exportFolders,
  foldersFromCsv,
  selectFolders,
} from './csv.ts';
import { folderErrors } from './errors.ts';
import { prepareFiles, prepareFolders, runImport } from './imports/import-run.ts';
import { insertLegacyFolders, type LegacyFolder, legacyFolders, wipeLegacyFolders } from './imports/legacy.ts';
import { clearImportFlags, hideImport, listSources } from './imports/sources.ts';
import { assignEach, editableFiles, mergeFolders } from './merge-folders.ts';
import { lockTrees, sharedOwner } from './tree-writes.ts';
import { removeAllFolders } from './trees.ts';

interface TransferDeps extends Pick<CallerDeps, 'store' | 'writes' | 'content'> {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly events: Pick<Events, 'emit'>;
}

declare module '#site/platform/events.ts' {
  interface SiteEvents {
    /** Every folder of every account was deleted. `backup`: the number of the copy that holds them. */
    'media_folders.deleted': {
      readonly by: number;
      readonly folders: number;
      readonly files: number;
      readonly backup: number;
    };
  }
}

export function createCsvTransfers({ store, writes, content: { rights }, clock }: TransferDeps) {
  const { db, engine } = store;
  return {
    /** Administrators get the folders of all accounts. */
    async exported(caller: Caller, backup: number | undefined): Promise<ExportedFolder[]> {
      const owner = caller.can('manage_options') ? undefined : await writes.ownerOf(caller.id);
      if (backup === undefined) return exportFolders(db, owner);
      const folders = await backedUpFolders(db, backup);
      return owner === undefined ? folders : folders.filter(({ created_by }) => created_by === owner);
    },
    fileName: (): string => `media-folders-${clock().toISOString().slice(0, 10)}.csv`,
    async owners(upload: Upload | undefined): Promise<Readonly<Record<string, string>>> {
      const owners = new Set((await foldersFromCsv(await csvOf(upload))).map(({ created_by }) => created_by));
      owners.delete(sharedOwner);
      if (owners.size === 0) return {};
      const users = await db
        .selectFrom('users')
        .select(['id', 'name'])
        .where('id', 'in', [...owners])
        .execute();
      return Object.fromEntries(users.map(({ id, name }) => [id, `${name} folders`]));
    },
    async importFile(caller: Caller, upload: Upload | undefined, userId: number) {
      const { folders, orphans } = selectFolders(await foldersFromCsv(await csvOf(upload)), userId);
      const done = await writes.edit(caller, async ({ tx, owner, asker }) => {
        await backUpFolders(tx, 'import-csv', clock());
        const { ids, created, reused } = await mergeFolders(tx, engine, owner, folders);
        const wanted = folders.flatMap(({ id, files }) => files.map((file) => ({ file, folder: ids.get(id)! })));
        const named = [...new Set(wanted.map(({ file }) => file))];
        const editable = await editableFiles(tx, engine, named, { rights, asker });
        const allowed = wanted.filter(({ file }) => editable.has(file));
        const assigned = await assignEach(tx, engine, owner, allowed);
        return { created, reused, assigned, skipped: wanted.length - assigned };
      });
      return {
        mess: 'The folders were imported.',
        folders_created: done.created,
        folders_reused: done.reused,
        attachments_assigned: done.assigned,
        attachments_skipped: done.skipped,
        orphans,
      };
    },
  };
}

async function csvOf(upload: Upload | undefined): Promise<Uint8Array> {
  if (upload === undefined) throw folderErrors.missingFile();
  const bytes = await uploadedBytes(upload);
  if (!isUtf8(bytes)) throw folderErrors.invalidCsv('The file is not UTF-8. Save it as "CSV UTF-8".');
  return bytes;
}

export function createImports({ store, writes, content: { rights }, clock, log, events }: TransferDeps) {
  const { db, engine } = store;
  const keyOf = (caller: Caller, prefix: string) => ({ user: caller.id, prefix, now: clock() });
  return {
    legacy: (): Promise<LegacyFolder[][]> => legacyFolders(db),
    async insertLegacy(caller: Caller, records: readonly LegacyFolder[]) {
      // Folders of accounts that do not exist come into the shared tree.
      const owners = [sharedOwner, ...records.map(({ created_by }) => created_by)];
      const count = await writes.administer(caller, async ({ tx, during, asker }) => {
        await lockTrees(during, owners);
        return insertLegacyFolders(tx, engine, records, { rights, asker });
      });
      return { mess: `Imported ${count} folders.` };
    },
    async wipeLegacy(caller: Caller) {
      await writes.administer(caller, ({ tx }) => wipeLegacyFolders(tx));
      return { mess: 'The legacy folders were deleted.' };
    },
    async wipeAll(caller: Caller) {
      const { folders, files, backup } = await writes.administer(caller, async ({ tx, during }) => {
        const trees = await tx.selectFrom('media_folder_trees').select('owner').execute();
        await lockTrees(
          during,
          trees.map(({ owner }) => owner),
        );
        const backup = await backUpFolders(tx, 'mf-wipe-clear-all-data', clock());
        await clearImportFlags(tx);
        return { ...(await removeAllFolders(tx)), backup };
      });
      log.warn({ user: caller.id, folders, files, backup }, 'All media folders deleted');
      events.emit('media_folders.deleted', { by: caller.id, folders, files, backup });
      return { mess: `Deleted ${folders} folders. The files stay. Backup ${backup} holds the folders as they were.` };
    },
    async hide(caller: Caller, prefix: string) {
      await writes.edit(caller, ({ tx }) => hideImport(tx, prefix));
      return { mess: 'Success' };
    },
    sources: () => listSources(db),
    folders: (caller: Caller, prefix: string) =>
      writes.edit(caller, ({ tx }) => prepareFolders(tx, keyOf(caller, prefix))),
    files: (caller: Caller, prefix: string) => writes.edit(caller, ({ tx }) => prepareFiles(tx, keyOf(caller, prefix))),
    run: (
      caller: Caller,
      prefix: string,
      { offset, mode }: { readonly offset: number; readonly mode: 'move' | 'keep' },
    ) =>
      writes.edit(caller, async ({ tx, owner, asker }) => {
        if (offset === 0) await backUpFolders(tx, `import ${prefix}`, clock());
        return runImport(tx, { ...keyOf(caller, prefix), rights, asker, engine, owner, offset, mode });
      }),
  };
}
