// What was written, shown to everybody or taken away.
import { noExtras } from '#site/content/extending.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { FoundPost } from '../posts/shown-post.ts';
import { plainly, writtenType } from './content.ts';
import { byNumber, closed } from './parts.ts';

/** Nothing, where there is none that people wrote. */
async function find({ content, posts }: Core, id: number): Promise<FoundPost | undefined> {
  const type = writtenType((await content.posts.find(id))?.type);
  return type && posts.get(id, type.name);
}

/** Throws `rest_post_invalid_id`. */
const get = async (use: Core, id: number): Promise<FoundPost> => (await find(use, id)) ?? use.posts.get(0, 'post');

/** Who writes here is told that there is none; anybody else, no more than that they may not. */
const mayKnow = ({ caller }: { readonly caller: { can(capability: string): boolean } }) => caller.can('edit_posts');

export function publishing(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'content/publish',
    label: 'Publish',
    description: 'Shows a record to everybody, now or on the day it is meant for.',
    category: 'content',
    input: t.object({ id: byNumber(tools, 'The number of the record.') }, closed),
    output: t.object(
      {
        id: byNumber(tools, 'Its number.'),
        status: t.string({ description: 'What state it is in.' }),
        link: t.string({ description: 'Where people read it.' }),
      },
      closed,
    ),
    annotations: { readonly: false, destructive: false, idempotent: true },
    may: async (asking) => {
      const { input, caller, use } = asking;
      const post = await find(use, input.id);
      if (post === undefined) return mayKnow(asking);
      const { rights, type } = post.basis;
      return rights.mayEdit(caller, post) && rights.mayPublish(caller, type);
    },
    run: async ({ input, caller, use }) => {
      const post = await get(use, input.id);
      const look = { ...plainly, caller };
      const none = noExtras(post.type);
      const isThere = post.status === 'publish';
      const { id, status, link } = isThere
        ? (await use.posts.all([post], look, none))[0]!
        : await use.posts.change(post, { status: 'publish' }, look, none, {});
      return { id, status, link };
    },
  });
}

export function trashing(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'content/trash',
    label: 'Put into the trash',
    description: 'Takes a record away. It can be brought back for a while.',
    category: 'content',
    input: t.object({ id: byNumber(tools, 'The number of the record.') }, closed),
    output: t.object(
      { id: byNumber(tools, 'Its number.'), status: t.string({ description: 'What state it is in.' }) },
      closed,
    ),
    annotations: { readonly: false, destructive: true, idempotent: true },
    may: async (asking) => {
      const post = await find(asking.use, asking.input.id);
      return post === undefined ? mayKnow(asking) : post.basis.rights.mayDelete(asking.caller, post);
    },
    run: async ({ input, caller, use }) => {
      const post = await get(use, input.id);
      const { id, status } = await use.posts.trash(post, { ...plainly, caller }, noExtras(post.type));
      return { id, status };
    },
  });
}
