// The routes of media: records of a content type of their own, which arrive with a file.
import { few, fewNames } from '#kernel/bounds.ts';
import { isNobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Route } from '#kernel/route.ts';
import type { Asker, Check } from '#kernel/schema.ts';
import { ordered } from '#lib/objects.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Extra, Extras } from '#site/content/extending.ts';
import type { MediaInput } from '#site/content/media/media.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import type { Served } from '../posts/fields.ts';
import { listArgs, wantedOf } from '../posts/listing.ts';
import { refusalOf } from '../posts/refusals.ts';
import { anyOfThem, demandWritable, saidOf } from '../posts/resource.ts';
import { postRules } from '../posts/rules.ts';
import type { FoundPost } from '../posts/shown-post.ts';
import { rawOf } from '../texts.ts';
import { editArgs, editsOf } from './edits.ts';
import { mediumResource } from './resource.ts';
import { type Attaching, attachingRefusal } from './shown-media.ts';

const base = 'media';
const one = 'media/(?P<id>[\\d]+)' as const;
const served: Served = { type: attachment, taxonomies: [], meta: [] };
const always = (): boolean => true;

/** In the order of the index. */
const order = [
  ...'date date_gmt slug status title author featured_media comment_status ping_status meta template'.split(' '),
  ...'alt_text caption description post'.split(' '),
];

type SentMedium = RecordOf<ReturnType<typeof mediumResource>['updateArgs']>;

/** A file is private, or what it is attached to says who sees it. */
function mediaSaid({ description, caption, post, alt_text, status, ...sent }: SentMedium): MediaInput {
  const [content, excerpt] = [rawOf(description), rawOf(caption)];
  return {
    ...saidOf(sent, served),
    ...(content !== undefined && { content }),
    ...(excerpt !== undefined && { excerpt }),
    ...(post !== undefined && { parent: post }),
    ...(alt_text !== undefined && { alt_text }),
    ...(status !== undefined && { status: status === 'private' ? 'private' : 'inherit' }),
  };
}

export function routes(tools: Toolkit<Core>, extras: Extras): Route[] {
  const { route, t, context, created, deleted } = tools;
  const extra = extras(attachment.name);
  const resource = mediumResource(tools, served, extra);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete, mayChange } = mediaRules(tools);
  const { createArgs, updateArgs } = resource;
  const id = { id: t.integer() };
  const anyStatusArg = t.optional(t.choice(anyOfThem));
  const numbered = (number: number) => ({ headers: { 'X-WP-Upload-Attachment-ID': String(number) } });
  const wish = (description: string) =>
    t.publishedAs(t.boolean({ default: true }), t.optional(t.boolean({ description })));
  const { caption, description, title, post, alt_text } = updateArgs;

  return [
    route({
      method: 'GET',
      path: base,
      summary: 'List files, newest first',
      access: mayList,
      resource,
      args: mediaArgs(tools, served, extra),
      handle: async ({ args, caller, use, wants }) => {
        const conditions = await extra.conditions(args, caller);
        const wanted = wantedMedia(served, args, { zone: await use.content.zone(), extra, conditions });
        const editing = args.context === 'edit';
        const paged = { page: args.page, perPage: args.per_page, skips: args.offset !== undefined };
        return use.media.list(wanted, { caller, editing, wants, ...paged }, extra);
      },
    }),
    route({
      method: 'POST',
      path: base,
      summary: 'Upload a file',
      access: mayAdd,
      resource,
      upload: true,
      args: {
        ...ordered(createArgs, order),
        generate_sub_sizes: wish('Whether to make smaller copies.'),
        convert_format: wish('Has no effect: the format never changes.'),
      },
      handle: async ({ args, upload, caller, use, wants }) => {
        if (upload === undefined) throw kernelErrors.uploadNoData();
        const { generate_sub_sizes: sized, convert_format: _, ...sent } = args;
        const uploaded = { said: mediaSaid(sent), how: { sized }, sent };
        const medium = await use.media.add(upload, uploaded, { caller, editing: true, wants }, extra);
        return created(medium, numbered(medium.id));
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get a file',
      access: mayView,
      resource,
      args: { ...id, context: context() },
      handle: ({ args, record, caller, use, wants }) =>
        use.media.shown(record, { caller, editing: args.context === 'edit', wants }, extra),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: 'Change the details of a file',
      access: mayEdit,
      resource,
      args: { ...id, ...ordered({ ...updateArgs, status: t.publishedAs(updateArgs.status, anyStatusArg) }, order) },
      handle: ({ args, record, caller, use, wants }) => {
        const { status, ...rest } = args;
        demandWritable(status, record.status);
        const said = mediaSaid(status === record.status ? rest : args);
        return use.media.change(record, said, { caller, editing: true, wants }, extra, args);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Delete a file permanently',
      access: mayDelete,
      resource,
      args: { ...id, force: t.boolean({ default: false, description: 'Must be true: files have no trash.' }) },
      handle: async ({ args: { force }, record, caller, use }) => {
        if (!force)
          throw contentErrors
            .trashNotSupported()
            .saying('Files have no trash. Send force=true to delete the file permanently.');
        return deleted(await use.media.erase(record, { caller, editing: true, wants: always }, extra));
      },
    }),
    route({
      method: 'POST',
      path: `${one}/post-process`,
      summary: 'Make the missing copies of a picture',
      access: mayEdit,
      resource,
      args: { ...id, action: Object.assign(t.choice(['create-image-subsizes']), { required: true as const }) },
      handle: ({ record, caller, use, wants }) => use.media.finish(record, { caller, editing: true, wants }, extra),
    }),
    route({
      method: 'POST',
      path: `${one}/edit`,
      summary: 'Edit a picture as a new picture',
      access: mayChange,
      resource,
      args: { ...id, ...editArgs(tools), caption, description, title, post, alt_text },
      handle: async ({ args, record, caller, use, wants }) => {
        const { src, modifiers, rotation, x, y, width, height, ...said } = args;
        const edits = editsOf({ modifiers, rotation, x, y, width, height });
        const look = { caller, editing: false, wants };
        const medium = await use.media.edit(record, src, edits, mediaSaid(said), look, extra);
        return created(medium, { ...numbered(medium.id), context: 'view' });
      },
    }),
  ];
}

const known = ['inherit', 'private', 'trash'] as const;
const usual = 'inherit';
const families = ['image', 'video', 'text', 'application', 'audio'] as const;

/** Other statuses than the usual one are for those who write. */
const statusCheck: Check = (wanted: readonly string[], asker: Asker) => {
  const { edit, read_private } = attachment.capabilities;
  for (const status of wanted) {
    if (status === usual || asker.can(edit) || (status === 'private' && asker.can(read_private))) continue;
    const data = { status: isNobody(asker) ? 401 : 403 };
    return {
      code: 'rest_forbidden_status',
      message: isNobody(asker) ? 'Sign in to filter by this status.' : 'Your account cannot filter by this status.',
      data,
    };
  }
  const strange = wanted.find((status) => !(known as readonly string[]).includes(status));
  if (strange === undefined) return few(wanted);
  return { code: 'rest_not_in_enum', message: `status must be one of: ${known.join(', ')}.` };
};

function mediaArgs(tools: Toolkit<Core>, served: Served, extra: Extra) {
  const { t } = tools;
  const { status: _, ...args } = listArgs(tools, served, { ...extra, filters: {} });
  const none = { default: null as unknown };
  return {
    ...args,
    status: t.publishedAs(
      t.list(t.choice(known), { default: usual, description: 'Only files of these types.' }),
      t.list(t.string(), { default: usual, check: statusCheck }),
    ),
    media_type: t.publishedAs(
      t.list(t.choice(families), { ...none, description: 'Only files of these families.' }),
      t.optional(t.list(t.choice(families), { check: few })),
    ),
    mime_type: t.publishedAs(
      t.list(t.string(), { ...none, description: 'Only files of these MIME types.' }),
      t.optional(t.list(t.string(), { check: fewNames })),
    ),
    ...t.unlisted(extra.filters),
  };
}

type ListedMedia = RecordOf<ReturnType<typeof mediaArgs>>;

function wantedMedia(served: Served, args: ListedMedia, context: Parameters<typeof wantedOf>[2]): Wanted {
  const status = args.status.length === 0 ? [usual] : args.status;
  const { media_type: mediaTypes = [], mime_type: mimeTypes = [] } = args;
  return {
    ...wantedOf(served, { ...args, status }, context),
    ...(mediaTypes.length > 0 && { mediaTypes: [...new Set(mediaTypes)] }),
    ...(mimeTypes.length > 0 && { mimeTypes }),
  };
}

// Who may add files and change pictures; for the rest they are records like any other.

interface ByNumber {
  readonly id: number;
}

const seen =
  'All visitors: files without a parent record, and files of a record that they may read. `context=edit`: accounts that may change the file.';

function mediaRules(tools: Toolkit<Core>) {
  const { on } = tools;
  const find = ({ id }: ByNumber, { posts }: Core): Promise<FoundPost> => posts.get(id, attachment.name);
  const core = (_: object, use: Core): Core => use;
  const { mayList, mayView, mayEdit, mayDelete } = postRules(tools, attachment);
  const { create } = attachment.capabilities;
  return {
    mayList: { ...mayList, who: `${seen} The list leaves out records that the account may not see.` },
    mayView: { ...mayView, who: seen },
    mayDelete,

    mayAdd: on<Core, Core, object, Attaching>(
      core,
      (caller, { content }, wish) => {
        const refusal = refusalOf(caller, content.rights, attachment, wish);
        if (refusal !== undefined) return refusal;
        if (!wish.post) return true;
        const { rights, posts } = content;
        return attachingRefusal(caller, { rights, find: posts.find }, wish).then((one) => one ?? true);
      },
      `With \`${create}\`. With a parent record: accounts that may change that record.`,
    ),

    mayEdit: on<FoundPost, Core, ByNumber, Attaching>(
      find,
      (caller, post, wish) => refusalOf(caller, post.basis.rights, attachment, wish, post) ?? true,
      mayEdit.who,
    ),

    mayChange: on<FoundPost, Core, ByNumber, object>(
      find,
      (caller, post) =>
        (post.basis.rights.mayEdit(caller, post) && caller.can(attachment.capabilities.create)) ||
        coreErrors.cannotEditImage(),
      `With \`${create}\`: accounts that may change the file.`,
    ),
  };
}
