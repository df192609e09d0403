// Render a block as a page shows it, for whoever is writing with it.

import type { Verdict } from '#kernel/access.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { blockTypeOf } from '../stubs/block-types.ts';
import { dynamicBlocks, everyBlock } from '../stubs/dynamic-blocks.ts';

type Attributes = Readonly<Record<string, unknown>>;

interface Asked {
  readonly name?: string;
  readonly context?: string;
  readonly attributes?: Attributes;
  readonly post_id?: number;
}

const settlers = new Map(
  Object.entries(dynamicBlocks).map(([block, older]) => {
    const name = `core/${block}`;
    const known = Object.entries(blockTypeOf('core', block).attributes).map(([key, of]) => [key, argumentOf(of)]);
    const properties = { ...Object.fromEntries(known), ...everyBlock, ...older };
    return [name, compile({ type: 'object', properties, additionalProperties: false })];
  }),
);

/** Formatted text is text, and an attribute that is null until somebody sets it may stay so. */
function argumentOf({ type, enum: choices, minimum, maximum, default: usual }: Schema): Schema {
  const is = type === 'rich-text' ? 'string' : (type as string);
  return usual === null ? { type: [is, 'null'] } : { type: is, enum: choices, minimum, maximum, default: usual };
}

const refused = (param: string, message: string): Problem =>
  kernelErrors.invalidParam(message).with({ params: { [param]: message } });

/** Of blocks of others, only they know what may be said. */
function settled(name: string, attributes: Attributes): Attributes {
  const settler = settlers.get(name);
  if (settler === undefined) return attributes;
  const wrong = settler.check(attributes, 'attributes');
  if (wrong !== undefined) throw refused('attributes', wrong.message);
  return settler.coerce(attributes) as Attributes;
}

const recordOf = async ({ posts }: Content, { post_id = 0 }: Asked): Promise<Post | undefined> =>
  post_id > 0 ? posts.find(post_id) : undefined;

/** What is wrong with the request is said to anybody; whoever names a record must be one who edits it. */
async function mayRender(caller: Caller, content: Content, asked: Asked): Promise<Verdict> {
  if (asked.context !== 'edit') throw refused('context', 'context must be edit.');
  settled(asked.name ?? '', asked.attributes ?? {});
  const of = await recordOf(content, asked);
  const isNamed = (asked.post_id ?? 0) > 0;
  const may = isNamed ? of !== undefined && content.rights.mayEdit(caller, of) : caller.can('edit_posts');
  return may || coreErrors.blockCannotRead();
}

export function blockRenderer({ route, t, on }: Toolkit<Core>): Route[] {
  return [
    route({
      method: ['GET', 'POST'],
      path: 'block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)',
      summary: 'Render a block as a page shows it',
      access: on<Content, Core, object, Asked>(
        (_, { content }) => content,
        mayRender,
        'With `edit_posts`. In the text of a record: accounts that may change that record.',
      ),
      args: {
        name: t.optional(t.string({ description: 'Which block: core/latest-posts.' })),
        context: t.publishedAs(
          t.choice(['edit'], { default: 'view', description: 'Must be `edit`.' }),
          t.optional(t.string()),
        ),
        attributes: t.publishedAs(
          t.free({ default: [], description: 'Attributes of the block.' }),
          t.optional(t.free({ default: {} })),
        ),
        post_id: t.optional(t.integer({ description: 'Id of the record that has the block in its text.' })),
      },
      answers: { 200: t.object({ rendered: t.string() }) },
      handle: async ({ path: { name }, args, use: { content } }) => {
        const attributes = settled(name, args.attributes ?? {});
        const rendered = await content.rendering.block(name, attributes, await recordOf(content, args));
        if (rendered === undefined) throw coreErrors.blockInvalid();
        return { rendered };
      },
    }),
  ];
}
