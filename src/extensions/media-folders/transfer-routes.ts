// The routes of mediafolders/v1 by which folders come and go as a whole: CSV, imports, earlier storages, and the key of the public API.
import { isNobody } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { envelope, shapesOf } from './answers.ts';
import { foldersToCsv, maxCsvBytes } from './csv.ts';
import { folderErrors } from './errors.ts';
import type { MediaFolders } from './media-folders.ts';

type Tools = Toolkit<MediaFolders>;

const uploader = 'upload_files';

export const transferRoutes = (tools: Tools): Route[] => [...legacy(tools), ...csv(tools), ...imports(tools)];

function legacy({ route, t, when }: Tools): Route[] {
  const { mess, wrapped } = shapesOf({ t });
  const record = t.object({
    id: t.integer({ minimum: 1 }),
    name: t.string({ maxLength: 1_000 }),
    parent: t.integer({ minimum: 0, default: 0 }),
    created_by: t.integer({ minimum: 0, default: 0 }),
    attachments: t.list(t.integer(), { default: [], maxItems: 200_000 }),
  });
  const shared = { access: 'manage_options', envelope, answers: { 200: mess } } as const;
  return [
    route({
      method: 'POST',
      path: 'mf-get-old-data',
      summary: 'Folders of an earlier storage, in pieces',
      access: uploader,
      envelope,
      answers: { 200: wrapped({ folders: t.list(t.list(record)) }) },
      handle: async ({ use }) => ({ folders: await use.imports.legacy() }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: 'mf-insert-old-data',
      summary: 'Take over one piece of the folders of an earlier storage',
      payload: t.object({ folders: t.list(record, { default: [] }) }),
      handle: ({ payload, caller, use }) => use.imports.insertLegacy(caller, payload.folders),
    }),
    route({
      ...shared,
      method: 'POST',
      path: 'mf-wipe-old-data',
      summary: 'Delete the folders of an earlier storage',
      handle: ({ caller, use }) => use.imports.wipeLegacy(caller),
    }),
    route({
      ...shared,
      method: 'POST',
      path: 'mf-wipe-clear-all-data',
      summary: 'Delete all folders of all accounts; the files stay',
      handle: ({ caller, use }) => use.imports.wipeAll(caller),
    }),
    route({
      method: 'POST',
      path: 'mf-no-thanks',
      summary: 'Hide the offer to import from a source',
      access: uploader,
      payload: t.object({ site: t.string({ maxLength: 50 }) }),
      answers: { 200: t.object({ mess: t.string() }) },
      handle: ({ payload, caller, use }) => use.imports.hide(caller, payload.site),
    }),
    route({
      method: 'POST',
      path: 'mfv-api',
      summary: 'Create a new key for the public API; the old key no longer works',
      access: when(
        (caller) => !isNobody(caller) && caller.can(uploader) && caller.can('manage_options'),
        'Accounts with `upload_files` and `manage_options`.',
      ),
      envelope,
      payload: t.object({ act: t.string({ default: '' }) }),
      answers: { 200: wrapped({ key: t.string() }) },
      handle: async ({ payload, caller, use }) => {
        if (payload.act !== 'generate-key') throw folderErrors.invalidParams('`act` must be generate-key.');
        return { key: await use.publicKey.renew(caller) };
      },
    }),
  ];
}

function csv({ route, t, raw }: Tools): Route[] {
  const { wrapped } = shapesOf({ t });
  const file = { upload: 'optional', bodyLimit: maxCsvBytes, access: uploader } as const;
  return [
    route({
      method: 'GET',
      path: 'export-csv',
      summary: 'All folders with the files in them, as JSON or CSV',
      access: uploader,
      payload: t.object({ id: t.optional(t.integer()), format: t.optional(t.choice(['csv', 'json'])) }),
      answers: { 200: t.object({ folders: t.list(t.free()) }) },
      handle: async ({ payload: { id, format }, caller, use, request }) => {
        const folders = await use.csv.exported(caller, id);
        const isCsv = format === undefined ? /\btext\/csv\b/.test(request.headers.accept ?? '') : format === 'csv';
        if (!isCsv) return { folders };
        const name = use.csv.fileName();
        return raw(foldersToCsv(folders), 'text/csv; charset=UTF-8', {
          'Content-Disposition': `attachment; filename="${name}"`,
        });
      },
    }),
    route({
      ...file,
      method: 'POST',
      path: 'import-csv-detail',
      summary: 'The owners of the folders in a CSV file',
      answers: { 200: t.map(t.string()) },
      handle: ({ upload, use }): Promise<unknown> => use.csv.owners(upload),
    }),
    route({
      ...file,
      method: 'POST',
      path: 'import-csv',
      summary: 'Import folders from a CSV file',
      envelope,
      payload: t.object({ userId: t.integer({ default: 0, minimum: -1 }) }),
      answers: {
        200: wrapped({
          mess: t.string(),
          folders_created: t.integer(),
          folders_reused: t.integer(),
          attachments_assigned: t.integer(),
          attachments_skipped: t.integer(),
          orphans: t.integer(),
        }),
      },
      handle: ({ upload, payload, caller, use }) => use.csv.importFile(caller, upload, payload.userId),
    }),
  ];
}

function imports({ route, t }: Tools): Route[] {
  const prefix = { prefix: t.string({ pattern: '[a-zA-Z]+' }) };
  const counted = t.object({ result: t.boolean(), counter: t.integer() }, { additionalProperties: true });
  return [
    route({
      method: 'GET',
      path: 'import/get-folders/(?P<prefix>[a-zA-Z]+)',
      summary: 'List the folders of a source; `all` lists the sources',
      access: uploader,
      args: prefix,
      answers: { 200: t.anyOf([counted, t.list(t.free())]) },
      handle: ({ args, caller, use }): Promise<unknown> =>
        args.prefix === 'all' ? use.imports.sources() : use.imports.folders(caller, args.prefix),
    }),
    route({
      method: 'GET',
      path: 'import/get-attachments/(?P<prefix>[a-zA-Z]+)',
      summary: 'List the files in the folders of a source',
      access: uploader,
      args: prefix,
      answers: { 200: counted },
      handle: ({ args, caller, use }) => use.imports.files(caller, args.prefix),
    }),
    route({
      method: 'GET',
      path: 'import/run/(?P<prefix>[a-zA-Z]+)',
      summary: 'Import the folders and files of a source, some at a time',
      access: uploader,
      args: prefix,
      payload: t.object({
        offset: t.integer({ default: 0, minimum: 0 }),
        mode: t.choice(['move', 'keep'], { default: 'move' }),
      }),
      answers: {
        200: t.object({ mess: t.string(), next: t.boolean(), offset: t.integer() }, { additionalProperties: true }),
      },
      handle: ({ args, payload, caller, use }) => use.imports.run(caller, args.prefix, payload),
    }),
  ];
}
