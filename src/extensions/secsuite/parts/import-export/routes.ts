// What may be asked of exports and imports.
import type { Access } from '#kernel/access.ts';
import { shorter } from '#kernel/bounds.ts';
import type { Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { BehalfSource } from '../../base.ts';
import { messagesOf } from '../../tools/routes.ts';
import type { TransferSource } from '../../transfer.ts';
import { type ExportDocument, mostSent, readExportFile } from './document.ts';
import { transferErrors } from './errors.ts';
import type { Chosen } from './exports.ts';
import type { RoleMap, UserMap } from './mapping.ts';
import type { Transfer } from './transfer.ts';

interface Use {
  readonly transfer: Transfer;
  readonly manage: BehalfSource;
}

type Manager = Access<undefined, Use, object>;
type Tools = Pick<Toolkit<Use>, 't' | 'resource' | 'route' | 'context' | 'created' | 'withStatus'>;

const longestTitle = 255;
const exportPath = (id: string): string => `/secsuite/v1/import-export/exports/${id}`;

export function exportRoutes(tools: Tools, access: Manager): Route[] {
  const { route, t, context, withStatus } = tools;
  const resource = exportResource(tools);
  const one = { path: 'import-export/exports/(?P<id>[\\w\\-]+)', access, resource } as const;
  const id = t.string();
  return [
    route({
      method: 'GET',
      path: 'import-export/exports',
      summary: 'List the stored exports, newest first',
      access,
      resource,
      several: 'list',
      // Published without a type, as clients know it.
      args: { context: t.publishedAs(t.untyped({ default: 'view' }), context()) },
      handle: ({ use }) => use.transfer.list(),
    }),
    route({
      method: 'POST',
      path: 'import-export/exports',
      summary: 'Export the configuration of the suite',
      access,
      resource,
      args: {
        sources: chosenArg(tools),
        options: t.free({ default: {} }),
        title: t.string({ default: '', check: shorter('title', longestTitle) }),
      },
      handle: async ({ args: { sources, options, title }, caller, use }) => {
        const behalf = use.manage.behalfOf(caller);
        const wish = { sources: sources as Chosen, options, title, by: caller.id };
        const { document, unknown } = await use.transfer.export(wish, behalf);
        const warning = unknown.map((slug) => `The source "${slug}" does not exist.`);
        const headers = messagesOf({ data: undefined, warning });
        return title === '' ? withStatus(201, shownWhole(document), headers) : tools.created(document, { headers });
      },
    }),
    route({
      ...one,
      method: 'GET',
      summary: 'Get an export',
      args: { id, context: context() },
      handle: ({ args, use }) => use.transfer.get(args.id),
    }),
    route({
      ...one,
      method: 'DELETE',
      summary: 'Delete an export',
      batch: true,
      answers: { 204: null },
      handle: async ({ path, caller, use }) => {
        await use.transfer.remove(path.id, use.manage.behalfOf(caller));
        return null;
      },
    }),
  ];
}

/** One that is not kept has no address. */
const shownWhole = ({ id, metadata, sources }: ExportDocument) => ({ id, metadata, sources });

function chosenArg({ t }: Pick<Tools, 't'>) {
  const all = Object.assign(t.boolean(), { enum: [true] });
  const some = t.list(t.string(), { uniqueItems: true });
  // A list takes a single value as well, so both would match `true`.
  return t.publishedAs(t.oneOf([all, some], { default: true }), t.anyOf([all, some], { default: true }));
}

const everywhere = { context: ['view', 'edit', 'embed'] } as const;
const viewed = { context: ['view', 'edit'] } as const;

function exportResource({ t, resource }: Tools) {
  return resource({
    name: 'secsuite-export',
    fields: {
      id: t.fixed(t.string(everywhere)),
      metadata: t.fixed(t.free(everywhere)),
      sources: t.fixed(t.free(viewed)),
    },
    compute: { metadata: ({ metadata }: ExportDocument) => metadata },
    links: ({ id }) => ({ self: [{ href: exportPath(id) }] }),
  });
}

export function sourceRoutes(tools: Tools, access: Manager): Route[] {
  const { route, t, context } = tools;
  const resource = tools.resource({
    name: 'secsuite-import-export-source',
    fields: {
      slug: t.fixed(t.string(everywhere)),
      title: t.fixed(t.string(everywhere)),
      description: t.fixed(t.string(everywhere)),
      options: t.fixed(t.nullable(t.free(), viewed)),
      schema: t.fixed(t.nullable(t.free(), { context: ['edit'] })),
      transform_map: t.fixed(t.object({ users: t.list(t.string()), roles: t.list(t.string()) }, everywhere)),
    },
    compute: {
      options: ({ options }: TransferSource) => options ?? null,
      schema: ({ schema }) => schema,
      transform_map: ({ transform }) => transform ?? { users: [], roles: [] },
    },
    links: ({ slug }) => ({ self: [{ href: `/secsuite/v1/import-export/sources/${slug}` }] }),
  });
  return [
    route({
      method: 'GET',
      path: 'import-export/sources',
      summary: 'List the sources of exports',
      access,
      resource,
      several: 'list',
      args: { context: context() },
      handle: ({ use }) => use.transfer.sources(),
    }),
    route({
      method: 'GET',
      path: 'import-export/sources/(?P<slug>[\\w\\-]+)',
      summary: 'Get a source of exports',
      access,
      resource,
      args: { slug: t.string(), context: context() },
      handle: ({ args, use }) => use.transfer.source(args.slug),
    }),
  ];
}

export function importRoutes(tools: Tools, access: Manager): Route[] {
  const { route, t, withStatus } = tools;
  const body = { bodyLimit: mostSent, bodyTooLarge: transferErrors.tooLarge, access } as const;
  const args = {
    export: t.free(),
    sources: chosenArg(tools),
    user_map: mapArg(tools, { patternProperties: { '^\\d+$': { type: 'integer' } }, additionalProperties: false }),
    role_map: mapArg(tools, { additionalProperties: { type: 'string' } }),
  };
  const mapsOf = (sent: { readonly user_map: unknown; readonly role_map: unknown }) => ({
    users: sent.user_map as UserMap,
    roles: sent.role_map as RoleMap,
  });
  const answers = { 200: t.free() };
  return [
    route({
      ...body,
      method: 'POST',
      path: 'import/validate',
      summary: 'Check an export, sent as JSON or as a file in a form; nothing is imported',
      formFiles: true,
      payload: t.free(),
      answers,
      handle: async ({ payload, files, request, use }) => {
        const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data');
        const file = files.find(({ field }) => field === 'file');
        if (isForm && file === undefined) throw transferErrors.missingFile();
        const sent = file === undefined ? payload : await readExportFile(Buffer.from(file.bytes), file.name);
        use.transfer.validate(sent);
        return withStatus(200, sent);
      },
    }),
    route({
      ...body,
      method: 'POST',
      path: 'import/transform',
      summary: 'Show an export with the users, roles and folders of this site; nothing is imported',
      args,
      answers,
      handle: async ({ args: sent, use }) =>
        withStatus(200, shownWhole(await use.transfer.transform(sent.export, mapsOf(sent)))),
    }),
    route({
      ...body,
      method: 'POST',
      path: 'import/run',
      summary: 'Import an export',
      args,
      answers: { 204: null },
      handle: async ({ args: sent, caller, request, use }) => {
        const behalf = use.manage.behalfOf(caller);
        const wish = { ...mapsOf(sent), sources: sent.sources as Chosen, behalf, self: request.address };
        const warning = await use.transfer.run(sent.export, wish);
        return withStatus(204, null, messagesOf({ data: undefined, warning }));
      },
    }),
  ];
}

const mapArg = ({ t }: Pick<Tools, 't'>, members: Schema) =>
  Object.assign(t.untyped({ default: true }), { type: ['object', 'boolean'], ...members });
