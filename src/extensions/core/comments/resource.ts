// A comment as the interface shows one.
import { isIP } from 'node:net';
import type { Check } from '#kernel/schema.ts';
import { isEmailAddress } from '#lib/addresses.ts';
import { noteStatuses } from '#site/content/comments/notes.ts';
import type { Toolkit } from '#site/extension.ts';
import { avatarsOf } from '#site/identity/users/user.ts';
import type { Core } from '../core.ts';
import { textField } from '../texts.ts';
import type { ShownComment } from './shown-comments.ts';

const always = ['view', 'edit', 'embed'] as const;
const full = ['view', 'edit'] as const;
const edit = ['edit'] as const;

/** Not everybody has one, and such records can be sent back. */
const addressFault: Check = (text: string) =>
  text === '' || isIP(text) !== 0
    ? undefined
    : { code: 'rest_invalid_ip', message: 'author_ip must be an IP address.' };

const emailFault: Check = (text: string) =>
  text === '' || isEmailAddress(text)
    ? undefined
    : { code: 'rest_invalid_email', message: 'author_email must be an email address.' };

const noteStatus = {
  type: 'string',
  title: '',
  default: '',
  enum: [...noteStatuses],
  answered: { type: ['string', 'null'], enum: [...noteStatuses, null] },
};

/** An object, in which only what notes say is looked at. */
const metaFault: Check = (meta: unknown) => {
  if (typeof meta !== 'object' || meta === null) return false;
  const { _wp_note_status: said = null } = meta as { readonly _wp_note_status?: unknown };
  if (said === null || noteStatuses.some((one) => one === said)) return undefined;
  const message = `meta._wp_note_status must be one of ${noteStatuses.join(', ')}.`;
  return { code: 'rest_not_in_enum', message };
};

function commentFields({ t }: Pick<Toolkit<Core>, 't'>) {
  const { fixed, optional, string } = t;
  const picture = () => string({ format: 'uri', context: ['embed', 'view', 'edit'] });
  return {
    id: fixed(t.integer({ context: always, description: 'Its number.' })),
    post: t.integer({ context: full, default: 0, description: 'Id of the record that the comment is on.' }),
    parent: t.integer({
      context: always,
      default: 0,
      description: 'Id of the comment that this one replies to; 0 for none.',
    }),
    author: optional(t.integer({ context: always, description: 'Id of the author; 0 for a visitor.' })),
    author_name: optional(string({ context: always, description: 'Name of the author.' })),
    author_email: optional(
      t.publishedAs(
        string({ format: 'email', context: edit, description: 'Email address of the author.' }),
        string({ context: edit, check: emailFault }),
      ),
    ),
    author_url: optional(string({ format: 'uri', context: always, description: 'Website of the author.' })),
    author_ip: optional(
      t.publishedAs(
        string({ format: 'ip', context: edit, description: 'IP address of the author.' }),
        string({ context: edit, check: addressFault }),
      ),
    ),
    author_user_agent: optional(string({ context: edit, description: 'User agent of the author.' })),
    date: optional(
      string({
        format: 'date-time',
        context: always,
        description: 'Time of the comment, in the time zone of the site.',
      }),
    ),
    date_gmt: optional(string({ format: 'date-time', context: full, description: 'Time of the comment, in UTC.' })),
    content: textField(t, always, 'Text of the comment.', {
      raw: { type: 'string', context: edit },
      rendered: { type: 'string', context: always },
    }),
    link: fixed(string({ format: 'uri', context: always, description: 'Public URL.' })),
    status: optional(string({ context: full, description: 'Status of the comment.' })),
    type: fixed(string({ context: always, default: 'comment', description: 'Type of the comment.' })),
    author_avatar_urls: fixed(
      t.object({ '24': picture(), '48': picture(), '96': picture() }, { context: always, description: 'Pictures.' }),
    ),
    meta: optional(
      t.publishedAs(
        t.object({ _wp_note_status: noteStatus as never }, { context: full, description: 'Meta values.' }),
        t.untyped({ context: full, check: metaFault }),
      ),
    ),
  };
}

const root = '/core/v2';

export function commentResource(tools: Toolkit<Core>) {
  return tools.resource({
    name: 'comment',
    fields: commentFields(tools),
    compute: {
      post: ({ post_id }: ShownComment) => post_id,
      author: ({ user_id }) => user_id,
      content: ({ content, prose }) => ({ raw: content, rendered: prose.comment(content) }),
      author_avatar_urls: ({ author_email, premises }) => avatarsOf(author_email, premises),
      meta: ({ noteStatus }) => ({ _wp_note_status: noteStatus }),
    },
    links: ({ id, user_id, parent, post_id, about, base, isAnswered }) => ({
      self: [{ href: `${root}/comments/${id}` }],
      collection: [{ href: `${root}/comments` }],
      ...(user_id > 0 && { author: [{ embeddable: true, href: `${root}/users/${user_id}` }] }),
      ...(about && { up: [{ embeddable: true, post_type: about.type, href: `${root}/${base}/${post_id}` }] }),
      ...(parent > 0 && { 'in-reply-to': [{ embeddable: true, href: `${root}/comments/${parent}` }] }),
      ...(isAnswered && { children: [{ embeddable: true, href: `${root}/comments?parent=${id}` }] }),
    }),
  });
}

/** In which order writing routes list their arguments. */
const order = 'author author_email author_ip author_name author_url author_user_agent content date date_gmt'.split(' ');
const then = 'parent post status meta'.split(' ');

export const inOrder = <A extends object>(args: A): A =>
  Object.fromEntries([...order, ...then].map((name) => [name, args[name as keyof A]])) as A;
