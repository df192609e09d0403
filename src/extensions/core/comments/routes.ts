// What may be asked of comments.
import type { Route } from '#kernel/route.ts';
import { withoutUndefined } from '#lib/objects.ts';
import type { CommentSaid } from '#site/content/comments/comment.ts';
import type { NoteStatus } from '#site/content/comments/notes.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { rawOf, type SentText } from '../texts.ts';
import { listArgs, pageOf, wantedOf } from './listing.ts';
import { commentResource, inOrder } from './record.ts';
import { commentRules } from './rules.ts';

type Sent = Omit<CommentSaid, 'content'> & { readonly content?: SentText; readonly meta?: unknown };

function toCommentSaid({ content, meta, ...rest }: Sent): CommentSaid {
  const { _wp_note_status: noteStatus } = (meta ?? {}) as { readonly _wp_note_status?: NoteStatus | null };
  return withoutUndefined({ ...rest, noteStatus, content: rawOf(content) });
}

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, created, deleted, Problem } = tools;
  const resource = commentResource(tools);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete } = commentRules(tools);
  const one = 'comments/(?P<id>[\\d]+)';
  const id = { id: t.integer() };
  const type = t.optional(t.string({ description: 'It stays what it is.' }));
  return [
    route({
      resource,
      method: 'GET',
      path: 'comments',
      summary: 'Comments, the newest first',
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
      summary: 'Say something about a record',
      access: mayAdd,
      args: inOrder(resource.createArgs),
      payload: t.object({ id: t.optional(t.untyped({ readonly: true, description: 'Nobody can choose it.' })), type }),
      handle: async ({ args, payload, caller, use, request: { address, headers } }) => {
        if (payload.id) throw new Problem(400, 'rest_comment_exists', 'What is new cannot have a number already.');
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
      summary: 'One comment',
      access: mayView,
      args: {
        ...id,
        context: context(),
        password: t.optional(t.string({ description: 'The password of what it is about.' })),
      },
      handle: ({ record, use }) => use.comments.shown(record),
    }),
    route({
      resource,
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: 'Change a comment, or say whether it is shown',
      access: mayEdit,
      args: { ...id, ...inOrder(resource.updateArgs) },
      payload: t.object({ type }),
      handle: ({ args: { id: _, ...sent }, payload, record, caller, use }) => {
        if (payload.type === undefined || payload.type === record.type)
          return use.comments.change(record, toCommentSaid(sent), caller);
        throw new Problem(404, 'rest_comment_invalid_type', 'A comment stays of the type it is.');
      },
    }),
    route({
      resource,
      method: 'DELETE',
      path: one,
      summary: 'Put a comment into the trash, or delete it for good',
      access: mayDelete,
      args: {
        ...id,
        force: t.boolean({ default: false, description: 'Whether it goes for good.' }),
        password: t.optional(t.string({ description: 'The password of what it is about.' })),
      },
      handle: async ({ args: { force }, record, caller, use }) =>
        force ? deleted(await use.comments.erase(record, caller)) : use.comments.trash(record, caller),
    }),
  ];
}
