// The routes of mediafolders/public/v1: for programs that hold the key. They work on the tree that all accounts share.

import { parseQuery } from '#kernel/args/query.ts';
import { type Caller, nobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { envelope } from './answers.ts';
import { folderErrors } from './errors.ts';
import type { MediaFolders } from './media-folders.ts';
import { callsPerMinute } from './public-folders.ts';

const bodyLimit = 256 * 1024;

/** The key that a request brings: in its header, or as the parameter `token`. */
async function keyIn(request: Request): Promise<string> {
  const header = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (header !== undefined) return header;
  const { json, form } = await request.sources(bodyLimit);
  const { token } = { ...parseQuery(request.query), ...form, ...json };
  return typeof token === 'string' ? token : '';
}

/** A key is too long to be guessed, so only requests that bring it are counted. */
async function demandKey(request: Request, { publicKey }: MediaFolders): Promise<Caller> {
  if (!(await publicKey.isValid(await keyIn(request))))
    throw kernelErrors.forbidden().saying('Send the key of the media folders: `Authorization: Bearer <key>`.');
  if (!(await publicKey.countCall(request.address)))
    throw outgoingErrors
      .tooManyRequests(
        `More than ${callsPerMinute} requests came from this IP address within a minute. Wait 60 seconds.`,
      )
      .with({}, { headers: { 'Retry-After': '60' } });
  return nobody;
}

export function publicRoutes({ route, t, when, anyone }: Toolkit<MediaFolders>): Route[] {
  const shared = {
    access: when(anyone, 'API clients with the key of the public API.'),
    credential: demandKey,
    bodyLimit,
    envelope,
  };
  const wrapped = (data: ReturnType<typeof t.free>) => ({ 200: t.object({ success: t.boolean(), data }) });
  const free = t.free();
  const folder_id = t.integer();
  return [
    route({
      ...shared,
      method: 'GET',
      path: 'folders',
      summary: 'The shared folders as a tree',
      answers: wrapped(free),
      handle: async ({ use }) => ({ folders: await use.publicFolders.list() }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: 'folders',
      summary: 'Create a shared folder',
      payload: t.object({ name: t.string({ maxLength: 10_000 }), parent_id: t.integer({ default: 0, minimum: 0 }) }),
      answers: wrapped(free),
      handle: async ({ payload, use }) => ({ id: await use.publicFolders.create(payload.name, payload.parent_id) }),
    }),
    route({
      ...shared,
      method: 'GET',
      path: 'folder',
      summary: 'One shared folder',
      payload: t.object({ folder_id }),
      answers: wrapped(free),
      handle: async ({ payload, use }) => ({ folder: await use.publicFolders.get(payload.folder_id) }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: 'folder/set-attachment',
      summary: 'Put files into a shared folder',
      payload: t.object({ ids: t.optional(t.listOrOne(t.integer())), folder: t.integer({ default: -1 }) }),
      answers: wrapped(free),
      handle: ({ payload: { ids = [], folder }, use }) => {
        const files = [ids].flat();
        if (files.length === 0 || folder < 0)
          throw folderErrors.validationFailed('Send `ids` of one file or more, and `folder` of 0 or more.');
        return use.publicFolders.assign(folder, files);
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: 'attachment-id',
      summary: 'The files in a shared folder',
      payload: t.object({ folder_id: t.integer({ minimum: 1 }) }),
      answers: wrapped(free),
      handle: async ({ payload, use }) => ({ attachment_ids: await use.publicFolders.files(payload.folder_id) }),
    }),
    route({
      ...shared,
      method: 'GET',
      path: 'attachment-count',
      summary: 'How many files a shared folder holds',
      payload: t.object({ folder_id: t.integer({ minimum: -1 }) }),
      answers: wrapped(free),
      handle: async ({ payload, use }) => ({ count: await use.publicFolders.count(payload.folder_id) }),
    }),
  ];
}
