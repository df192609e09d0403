// The routes of comments, with the arguments of their list.
import { few, shorter, shortTerm, startOf } from '#kernel/bounds.ts';
import { offsetOf } from '#kernel/paging.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Route } from '#kernel/route.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { readBound, type Zone } from '#lib/wall-time.ts';
import { type CommentSaid, listedStatuses, listedType, type WantedComments } from '#site/content/comments/comment.ts';
import type { NoteStatus } from '#site/content/comments/notes.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { rawOf, type SentText } from '../texts.ts';
import { commentResource, inOrder } from './resource.ts';
import { commentRules } from './rules.ts';

type Sent = Omit<CommentSaid, 'content'> & { readonly content?: SentText; readonly meta?: unknown };

function toCommentSaid({ content, meta, ...rest }: Sent): CommentSaid {
  const { _wp_note_status: noteStatus } = (meta ?? {}) as { readonly _wp_note_status?: NoteStatus | null };
  return withoutUndefined({ ...rest, noteStatus, content: rawOf(content) });
}

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, created, deleted } = tools;
  const resource = commentResource(tools);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete } = commentRules(tools);
  const one = 'comments/(?P<id>[\\d]+)';
  const id = { id: t.integer() };
  const type = t.optional(t.string({ description: 'Cannot be changed.' }));
  return [
    route({
      resource,
      method: 'GET',
      path: 'comments',
      summary: 'List comments, newest first',
      access: mayList,
      args: listArgs(tools),
      handle: async ({ args, caller, use }) => ({
        ...(await use.comments.list(wantedOf(args, await use.content.zone()), caller, args.password)),
        ...pageOf(args),
      }),
    }),
    route({
      resource,
      method: 'POST',
      path: 'comments',
      summary: 'Create a comment',
      access: mayAdd,
      args: inOrder(resource.createArgs),
      payload: t.object({ id: t.optional(t.untyped({ readonly: true, description: 'The site chooses it.' })), type }),
      handle: async ({ args, payload, caller, use, request: { address, headers } }) => {
        if (payload.id) throw coreErrors.commentExists();
        const said = toCommentSaid({ ...args, ...withoutUndefined({ type: payload.type }) });
        const client = { address, agent: headers['user-agent'] ?? '' };
        const comment = await use.comments.add({ ...said, post: args.post }, caller, client);
        return created(comment, { context: use.comments.mayEdit(caller, comment) ? 'edit' : 'view' });
      },
    }),
    route({
      resource,
      method: 'GET',
      path: one,
      summary: 'Get a comment',
      access: mayView,
      args: {
        ...id,
        context: context(),
        password: t.optional(t.string({ description: 'Password of the record that the comment is on.' })),
      },
      handle: ({ record, use }) => use.comments.shown(record),
    }),
    route({
      resource,
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: 'Change a comment or its status',
      access: mayEdit,
      args: { ...id, ...inOrder(resource.updateArgs) },
      payload: t.object({ type }),
      handle: ({ args: { id: _, ...sent }, payload, record, caller, use }) => {
        if (payload.type === undefined || payload.type === record.type)
          return use.comments.change(record, toCommentSaid(sent), caller);
        throw coreErrors.commentInvalidType();
      },
    }),
    route({
      resource,
      method: 'DELETE',
      path: one,
      summary: 'Move a comment to the trash, or delete it permanently',
      access: mayDelete,
      args: {
        ...id,
        force: t.boolean({ default: false, description: 'Whether to delete it permanently.' }),
        password: t.optional(t.string({ description: 'Password of the record that the comment is on.' })),
      },
      handle: async ({ args: { force }, record, caller, use }) =>
        force ? deleted(await use.comments.erase(record, caller)) : use.comments.trash(record, caller),
    }),
  ];
}

const orders = ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'] as const;
const longestName = 100;

function listArgs({ t, context, page, perPage }: Toolkit<Core>) {
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  const people = (description: string) => t.optional(t.list(t.integer(), { description, check: few }));
  const when = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  const name = (usual: string, what: string, description: string) =>
    t.string({ default: usual, description, check: shorter(what, longestName) });
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(
      t.string({
        description: 'Part of the text, or of the name, email address or website of the author.',
        check: shortTerm,
      }),
    ),
    after: when('Only comments after this time.'),
    author: people('Only comments by these authors.'),
    author_exclude: people('No comments by these authors.'),
    author_email: t.publishedAs(
      t.string({ default: null, format: 'email', description: 'Only comments by this email address.' }),
      t.optional(t.string({ format: 'email' })),
    ),
    before: when('Only comments before this time.'),
    exclude: ids('Comments to leave out.'),
    include: ids('Only these comments.'),
    offset: t.optional(t.integer({ description: 'Number of items to skip.' })),
    order: t.choice(['asc', 'desc'], { default: 'desc' }),
    orderby: t.choice(orders, { default: 'date_gmt' }),
    parent: ids('Only replies to these comments.'),
    parent_exclude: ids('No replies to these comments.'),
    post: ids('Only comments on these records.'),
    status: name('approve', 'status', 'approve, hold, spam, trash, or all for approved and held comments.'),
    type: name('comment', 'type', 'Only comments of this type; `all` for every type.'),
    password: t.optional(t.string({ description: 'Password of the record that the comments are on.' })),
  };
}

type Args = RecordOf<ReturnType<typeof listArgs>>;

function wantedOf(args: Args, zone: Zone): WantedComments {
  const moment = (text: string | undefined) => (text === undefined ? undefined : readBound(zone, text).utc);
  return withoutUndefined({
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: args.orderby,
    statuses: listedStatuses(args.status),
    type: listedType(args.type),
    search: args.search,
    after: moment(args.after),
    before: moment(args.before),
    authors: unlessEmpty(args.author),
    notAuthors: unlessEmpty(args.author_exclude),
    email: args.author_email,
    include: unlessEmpty(args.include),
    exclude: unlessEmpty(args.exclude),
    parents: unlessEmpty(args.parent),
    notParents: unlessEmpty(args.parent_exclude),
    posts: unlessEmpty(args.post),
  });
}

/** The page that a list cut out by an offset counts as. */
const pageOf = ({ offset, per_page }: Args): { page?: number } =>
  offset === undefined ? {} : { page: Math.ceil(startOf(offset) / per_page) + 1 };
