// Abilities for content: finding it, beginning a draft, moderating comments and finding unused media.
import type { Caller } from '#kernel/caller.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { noExtras } from '#site/content/extending.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import { anyStatus } from '#site/content/statuses.ts';
import { block, type ContentType, navigation, page, post } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import { moderates } from '../comments/refusals.ts';
import type { Core } from '../core.ts';
import { statusCheck } from '../posts/listing.ts';
import { byNumber, closed, optionally, reading } from './parts.ts';

const types: readonly ContentType[] = [post, page, block, navigation];
const names = types.map(({ name }) => name);

/** Of what people write; nothing for files and what is not here. */
export const writtenType = (name: string | undefined): ContentType | undefined =>
  types.find((type) => type.name === name);

const typeOf = (name: string): ContentType => writtenType(name) ?? post;

/** Nothing of a record is looked up that nobody is told. */
export const plainly = { editing: true, wants: () => false } as const;

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'any'] as const;
const newest = { offset: 0, order: 'desc', orderBy: 'date' } as const;

interface Sought {
  readonly type: string;
  readonly search?: string;
  readonly status: string;
  readonly limit: number;
}

const wantedOf = ({ type, search = '', status, limit }: Sought): Wanted =>
  withoutUndefined<Wanted>({
    ...newest,
    types: [type],
    statuses: status === 'any' ? anyStatus : [status],
    limit,
    ...(search.trim() !== '' && { search }),
  });

export function finding(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const text = (description: string) => t.string({ description });
  const found = t.object(
    {
      id: byNumber(tools, 'Id.'),
      type: text('Type of the record.'),
      title: text('Title, as HTML.'),
      status: text('Status.'),
      link: text('Public URL.'),
      modified: text('Time of the last change, in the time zone of the site.'),
    },
    closed,
  );
  return ability({
    name: 'content/find',
    label: 'Find content',
    description: 'Finds posts, pages and other records that the signed-in user may read, newest first.',
    category: 'content',
    input: t.object(
      {
        type: t.choice(names, { default: post.name, description: 'Type of the records.' }),
        search: t.optional(t.string({ maxLength: 1_000, description: 'Words that must all occur.' })),
        status: t.choice(statuses, { default: 'publish', description: 'Status of the records.' }),
        limit: t.integer({ default: 10, minimum: 1, maximum: 50, description: 'Maximum number.' }),
      },
      optionally,
    ),
    output: t.list(found),
    annotations: reading,
    may: ({ input: { type, status }, caller }) => caller.can('edit_posts') && mayAskFor(type, status, caller),
    run: async ({ input, caller, use }) => {
      const items = await use.posts.found(typeOf(input.type), wantedOf(input), caller);
      return items.map(({ id, type, title, status, link, modified, basis }) => ({
        id,
        type,
        status,
        link,
        modified,
        title: basis.rendering.title(title),
      }));
    },
  });
}

/** As the lists of the interface ask. */
const mayAskFor = (type: string, status: string, caller: Caller): boolean =>
  statusCheck(typeOf(type))([status] as never, caller) === undefined;

export function creating(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const text = (description: string) => t.string({ description });
  return ability({
    name: 'content/create-draft',
    label: 'Create a draft',
    description: 'Creates a draft, which visitors cannot read until it is published.',
    category: 'content',
    input: t.object(
      {
        type: t.choice(names, { description: 'Type of the record.' }),
        title: text('Title.'),
        content: t.optional(text('Text, as HTML or as blocks.')),
        excerpt: t.optional(text('Excerpt, a short summary.')),
      },
      closed,
    ),
    output: t.object(
      {
        id: byNumber(tools, 'Id.'),
        edit_link: text('URL of the record in the API, for reading and changing its source.'),
        status: text('Status.'),
      },
      closed,
    ),
    annotations: { readonly: false, destructive: false, idempotent: false },
    may: ({ input, caller, use }) => use.content.rights.mayCreate(caller, typeOf(input.type)),
    run: async ({ input: { type: name, ...said }, caller, use }) => {
      const type = typeOf(name);
      const look = { ...plainly, caller };
      const { id, status } = await use.posts.add(type, { ...said, status: 'draft' }, look, noExtras(name), {});
      return { id, status, edit_link: `${use.address}/${type.base}/${id}?context=edit` };
    },
  });
}

export function moderating(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'comments/moderate',
    label: 'Moderate a comment',
    description: 'Approves a comment, puts it on hold, marks it as spam, or moves it to the trash.',
    category: 'content',
    input: t.object(
      {
        id: byNumber(tools, 'Id of the comment.'),
        action: t.choice(['approve', 'hold', 'spam', 'trash'], { description: 'New status.' }),
      },
      closed,
    ),
    output: t.object(
      { id: byNumber(tools, 'Id.'), status: t.string({ description: 'Status after the change.' }) },
      closed,
    ),
    annotations: { readonly: false, destructive: false, idempotent: true },
    may: ({ caller }) => moderates(caller),
    run: async ({ input: { id: number, action }, caller, use }) => {
      const comment = await use.comments.get(number);
      const { id, status } =
        action === 'trash'
          ? await use.comments.trash(comment, caller)
          : await use.comments.change(comment, { status: action }, caller);
      return { id, status };
    },
  });
}

export function unusedMedia(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'media/find-unused',
    label: 'Find unused files',
    description:
      'Finds files that are attached to no record, are no featured picture and are in no text, oldest first. Files that only another app shows count as unused.',
    category: 'media',
    input: t.object(
      { limit: t.integer({ default: 20, minimum: 1, maximum: 100, description: 'Maximum number.' }) },
      optionally,
    ),
    output: t.list(
      t.object({ id: byNumber(tools, 'Id.'), filename: t.string({ description: 'Name of the file.' }) }, closed),
    ),
    annotations: reading,
    may: ({ caller }) => caller.can('upload_files'),
    run: ({ input, caller, use }) => use.unused(input.limit, caller),
  });
}
