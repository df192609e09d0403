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
      id: byNumber(tools, 'Its number.'),
      type: text('What kind of record it is.'),
      title: text('Its title, as HTML.'),
      status: text('What state it is in.'),
      link: text('Where people read it.'),
      modified: text('When it was changed, by the clock of the site.'),
    },
    closed,
  );
  return ability({
    name: 'content/find',
    label: 'Find content',
    description: 'Finds posts, pages and other records that whoever asks may read, the newest first.',
    category: 'content',
    input: t.object(
      {
        type: t.choice(names, { default: post.name, description: 'What kind of records.' }),
        search: t.optional(t.string({ maxLength: 1_000, description: 'Words that must all occur.' })),
        status: t.choice(statuses, { default: 'publish', description: 'What state they are in.' }),
        limit: t.integer({ default: 10, minimum: 1, maximum: 50, description: 'How many at most.' }),
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
    label: 'Begin something new',
    description: 'Makes a draft, which nobody reads until it is published.',
    category: 'content',
    input: t.object(
      {
        type: t.choice(names, { description: 'What kind of record.' }),
        title: text('Its title.'),
        content: t.optional(text('Its text, as HTML or as blocks.')),
        excerpt: t.optional(text('What it is about, in short.')),
      },
      closed,
    ),
    output: t.object(
      {
        id: byNumber(tools, 'Its number.'),
        edit_link: text('Where it is read as it was written, and changed, over the interface.'),
        status: text('What state it is in.'),
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
    label: 'Judge a comment',
    description: 'Shows a comment, has it wait, calls it spam, or puts it into the trash.',
    category: 'content',
    input: t.object(
      {
        id: byNumber(tools, 'The number of the comment.'),
        action: t.choice(['approve', 'hold', 'spam', 'trash'], { description: 'What becomes of it.' }),
      },
      closed,
    ),
    output: t.object(
      { id: byNumber(tools, 'Its number.'), status: t.string({ description: 'What became of it.' }) },
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
    label: 'Find files that are not used',
    description:
      'Finds files, the oldest first, that belong to no record, stand for none, and are named in no text. What a front end shows of its own accord is not known.',
    category: 'media',
    input: t.object(
      { limit: t.integer({ default: 20, minimum: 1, maximum: 100, description: 'How many at most.' }) },
      optionally,
    ),
    output: t.list(
      t.object(
        { id: byNumber(tools, 'Its number.'), filename: t.string({ description: 'The name of the file.' }) },
        closed,
      ),
    ),
    annotations: reading,
    may: ({ caller }) => caller.can('upload_files'),
    run: ({ input, caller, use }) => use.unused(input.limit, caller),
  });
}
