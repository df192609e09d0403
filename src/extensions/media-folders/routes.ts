// The routes of mediafolders/v1. None of them shows arguments in the index, so what they take is their payload.
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { envelope, shapesOf } from './answers.ts';
import { folderErrors } from './errors.ts';
import { galleryOptions, layouts, linkTargets, sortNames } from './gallery.ts';
import type { MediaFolders } from './media-folders.ts';
import { counterTypes, type Sort, siteSettingNames, userSettingNames } from './settings.ts';
import { transferRoutes } from './transfer-routes.ts';

type Tools = Toolkit<MediaFolders>;

const color = /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}))?$/i;
const maxIds = 10_000;
const maxTitle = 30_000;

export const routes = (tools: Tools): Route[] => [
  ...reading(tools),
  ...settings(tools),
  ...changing(tools),
  ...transferRoutes(tools),
];

const uploader = 'upload_files';

function reading({ route, t }: Tools): Route[] {
  const { counts, node } = shapesOf({ t });
  const pictures = t.object({ html: t.string() });
  return [
    route({
      method: 'GET',
      path: 'get-folders',
      summary: 'The folders as a tree, with the number of files in each',
      access: uploader,
      payload: t.object({
        order: t.optional(t.choice(['asc', 'desc', 'reset'])),
        orderby: t.optional(t.choice(['name'])),
        search: t.string({ default: '', maxLength: 200 }),
      }),
      answers: {
        200: t.object({ tree: t.list(node), allAttachmentsCount: t.integer(), attachmentsCount: counts }),
      },
      handle: ({ payload: { order, orderby, search }, caller, use }) =>
        use.views.list(caller, { sort: sortOf(order, orderby), search }),
    }),
    route({
      method: 'GET',
      path: 'set-folder-counter',
      summary: 'Choose whether folders count the files of their subfolders',
      access: uploader,
      payload: t.object({ type: t.choice(counterTypes) }),
      answers: { 200: counts },
      handle: async ({ payload: { type }, caller, use }) => {
        await use.preferences.setOwn(caller, { FOLDER_COUNTER_TYPE: type });
        return use.views.counts(caller);
      },
    }),
    route({
      method: 'GET',
      path: 'gutenberg-get-folders',
      summary: 'The folders as a menu for editors',
      access: uploader,
      envelope,
      answers: {
        200: t.object({
          success: t.boolean(),
          data: t.list(t.object({ value: t.integer(), label: t.string(), disabled: t.optional(t.boolean()) })),
        }),
      },
      handle: ({ caller, use }) => use.views.menu(caller, 'Choose a folder'),
    }),
    route({
      method: 'POST',
      path: 'gutenberg-get-images',
      summary: 'The pictures of folders as the gallery block shows them',
      access: uploader,
      payload: t.object({
        selectedFolder: t.list(t.integer(), { default: [], maxItems: 100 }),
        hasCaption: t.boolean({ default: false }),
        hasLightbox: t.boolean({ default: false }),
        columns: t.integer({ default: 3, minimum: 1, maximum: 8 }),
        isCropped: t.boolean({ default: true }),
        linkTo: t.choice(linkTargets, { default: 'none' }),
        sortBy: t.choice(sortNames, { default: 'date' }),
        sortType: t.choice(['DESC', 'ASC'], { default: 'DESC' }),
        layout: t.choice(layouts, { default: 'flex' }),
        spaceAroundImage: t.integer({ default: 0, minimum: 0, maximum: 2_000 }),
        imgMinWidth: t.integer({ default: 0, minimum: 0, maximum: 2_000 }),
        className: t.string({ default: '', maxLength: 200 }),
        captions: t.untyped({ default: {} }),
        imagesRemoved: t.list(t.integer(), { default: [], maxItems: 500 }),
      }),
      answers: { 200: pictures },
      handle: ({ payload, caller, use }) => use.views.gallery(caller, galleryOptions(payload)),
    }),
  ];
}

/** What is said of the sort; nothing, where nothing is said. */
function sortOf(order: string | undefined, orderby: string | undefined): Sort | null | undefined {
  if (order === 'reset') return null;
  return orderby !== undefined && (order === 'asc' || order === 'desc') ? { orderby, order } : undefined;
}

/** Members of any type; each is judged by what reads it. */
const anyOf = (t: Tools['t'], names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, t.optional(t.untyped())]));

function settings({ route, t }: Tools): Route[] {
  const { isTrue } = shapesOf({ t });
  return [
    route({
      method: 'GET',
      path: 'settings',
      summary: 'The settings of the site and of the account',
      access: uploader,
      hidden: true,
      answers: { 200: t.object({ site: t.free(), user: t.free() }) },
      handle: ({ caller, use }) => use.preferences.read(caller),
    }),
    route({
      method: 'POST',
      path: 'set-settings',
      summary: 'Change settings of the site and of the account',
      access: 'manage_options',
      payload: t.object(anyOf(t, [...siteSettingNames, ...userSettingNames])),
      answers: { 200: isTrue },
      handle: ({ payload, caller, use }) => use.preferences.set(caller, payload),
    }),
    route({
      method: 'POST',
      path: 'set-user-settings',
      summary: 'Change settings of the account',
      access: uploader,
      payload: t.object(anyOf(t, userSettingNames)),
      answers: { 200: isTrue },
      handle: ({ payload, caller, use }) => use.preferences.setOwn(caller, payload),
    }),
  ];
}

function changing({ route, t }: Tools): Route[] {
  const { counts, node, isTrue } = shapesOf({ t });
  const id = () => t.integer({ minimum: 0 });
  return [
    route({
      method: 'POST',
      path: 'new-folder',
      summary: 'Create a folder, or several',
      access: uploader,
      payload: t.object({
        title: t.string({ maxLength: maxTitle }),
        parent: id(),
        isMultiple: t.boolean({ default: false }),
      }),
      answers: { 200: t.list(node) },
      handle: ({ payload, caller, use }) => use.edits.create(caller, payload),
    }),
    route({
      method: 'POST',
      path: 'update-folder',
      summary: 'Rename a folder',
      access: uploader,
      payload: t.object({ id: id(), title: t.string({ maxLength: maxTitle }), parent: id() }),
      answers: { 200: isTrue },
      handle: ({ payload: { id, title }, caller, use }) => use.edits.rename(caller, id, title),
    }),
    route({
      method: 'POST',
      path: 'update-folder-color',
      summary: 'Give a folder a color',
      access: uploader,
      payload: t.object({
        folderId: id(),
        color: t.optional(
          t.nullable(t.string(), { check: (value: string | null) => (color.test(value ?? '') ? undefined : badColor) }),
        ),
      }),
      answers: { 200: isTrue },
      handle: ({ payload, caller, use }) => use.edits.setColor(caller, payload.folderId, payload.color ?? ''),
    }),
    route({
      method: 'POST',
      path: 'update-folder-ord',
      summary: 'Move a folder',
      access: uploader,
      payload: t.object(anyOf(t, ['dragNodeId', 'dropNodeId', 'toParentId', 'dropPosition'])),
      answers: { 200: t.anyOf([isTrue, counts]) },
      handle: ({ payload, caller, use }) => use.edits.move(caller, moveIn(payload)),
    }),
    route({
      method: 'POST',
      path: 'delete-folder',
      summary: 'Delete folders with their subfolders; the files stay',
      access: uploader,
      payload: t.object({ ids: t.list(t.integer(), { maxItems: maxIds, default: [] }) }),
      answers: { 200: counts },
      handle: ({ payload, caller, use }) => use.edits.remove(caller, payload.ids),
    }),
    route({
      method: 'POST',
      path: 'assign-folder',
      summary: 'Put files into a folder',
      access: uploader,
      payload: t.object({ folderId: id(), ids: t.list(t.integer(), { maxItems: maxIds }) }),
      answers: { 200: counts },
      handle: ({ payload, caller, use }) => use.edits.assign(caller, payload.folderId, payload.ids),
    }),
    route({
      method: 'POST',
      path: 'generate-attachment-size',
      summary: 'Store the sizes of files that have none',
      access: uploader,
      payload: t.object({ page: t.integer({ default: 1 }) }),
      answers: { 200: t.object({ success: t.boolean(), next: t.choice(['0', '1']) }) },
      handle: ({ payload, caller, use }) => use.storeSizes(caller, payload.page),
    }),
  ];
}

const badColor = { code: 'rest_invalid_color', message: '`color` must be a color such as #f60 or #ff6600, or empty.' };

/** Numbers that have a code of their own when they are none. */
function moveIn(sent: Readonly<Record<string, unknown>>) {
  const numberOf = (name: string): number => {
    const value = sent[name];
    if (/^-?\d{1,15}$/.test(typeof value === 'number' || typeof value === 'string' ? String(value) : ''))
      return Number(value);
    throw folderErrors.invalidParams(`\`${name}\` must be an integer.`);
  };
  return {
    folder: numberOf('dragNodeId'),
    target: numberOf('dropNodeId'),
    parent: numberOf('toParentId'),
    position: numberOf('dropPosition'),
  };
}
