// What a record was, and what somebody is writing of it, as the interface shows it.
import type { Context, Schema, TProperties, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { always, edit, full, postFields, type Served } from '../posts/fields.ts';
import type { ShownRevision } from './shown-revisions.ts';

type Read = (revision: ShownRevision, context: Context) => unknown;
type Tools = Pick<Toolkit<Core>, 't' | 'resource'>;

const isRaw = ({ type }: Served): boolean => type.name === 'wp_block';

const computed: Readonly<Record<string, Read>> = {
  guid: ({ guid }) => ({ rendered: guid, raw: guid }),
  title: ({ title, rendering }) => ({ raw: title, rendered: rendering.title(title) }),
  content: ({ content, shown }) => ({ raw: content, rendered: shown }),
  excerpt: ({ excerpt, prose }) => ({ raw: excerpt, rendered: excerpt === '' ? '' : prose.caption(excerpt) }),
};

const raw: Readonly<Record<string, Read>> = {
  title: ({ title }) => ({ raw: title }),
  content: ({ content }) => ({ raw: content }),
};

function fieldsOf(tools: Tools, served: Served): TProperties {
  const { t } = tools;
  const told = (context: readonly Context[], description: string) =>
    t.string({ format: 'date-time', context, description });
  const number = (description: string) => t.integer({ context: always, description });
  const { guid, title, content, excerpt, meta } = postFields(tools, served);
  return {
    author: number('Id of the user who made the change.'),
    date: t.nullable(told(always, 'Time, in the time zone of the site.')),
    date_gmt: t.nullable(told(full, 'Time, in UTC.')),
    id: number('Its number.'),
    modified: told(full, 'Time, in the time zone of the site.'),
    modified_gmt: told(full, 'Time, in UTC.'),
    parent: number('Id of the record.'),
    slug: t.string({ context: always, description: 'Permanent unique identifier.' }),
    ...(guid && { guid }),
    ...(title && { title }),
    ...(content && { content: withoutProtected(t, content) }),
    ...(excerpt && { excerpt: withoutProtected(t, excerpt) }),
    ...(meta && { meta }),
  };
}

/** What it was says nothing of a password that closes it. */
function withoutProtected(t: Tools['t'], text: TSchema): TSchema {
  const published = (text as Schema).published ?? {};
  const required = [published.required ?? []].flat().filter((name) => name !== 'protected');
  return t.optional(t.answeredAs({ ...published, required } as Schema, t.optional(text)));
}

const make = (tools: Tools, served: Served, name: string, more: TProperties) =>
  tools.resource({
    name,
    fields: { ...fieldsOf(tools, served), ...more },
    compute: { ...computed, ...(isRaw(served) && raw) } as Record<string, Read>,
    links: ({ parent, of }: ShownRevision) => ({
      parent: [{ href: `/core/v2/${served.type.base}/${parent || of}` }],
    }),
  });

export const revisionResource = (tools: Tools, served: Served) =>
  make(tools, served, `${served.type.name}-revision`, {});

export const autosaveResource = (tools: Tools, served: Served) =>
  make(tools, served, `${served.type.name}-revision`, {
    preview_link: tools.t.fixed(tools.t.string({ format: 'uri', context: edit, description: 'URL of the preview.' })),
  });
