// The fields of a record, as its type has them: what is shown to whom, and what may be said.
import type { Context, Schema } from '#kernel/schema.ts';
import type { MetaKey } from '#site/content/meta.ts';
import { statuses, writable } from '#site/content/statuses.ts';
import type { ContentType, Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Part, textField } from '../texts.ts';

/** A type as the interface serves it. */
export interface Served {
  readonly type: ContentType;
  /** Those that sort it, in the order of the interface. */
  readonly taxonomies: readonly Taxonomy[];
  readonly meta: readonly MetaKey[];
}

type Tools = Pick<Toolkit<unknown>, 't'>;

export const always: readonly Context[] = ['view', 'edit', 'embed'];
export const full: readonly Context[] = ['view', 'edit'];
export const edit: readonly Context[] = ['edit'];

export const formats = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;

const text = (context: readonly Context[]): Part => ({ type: 'string', context });

/** A record may be in the trash, or be a part of another: nobody can give it that status. */
const anyStatus: Schema = { type: 'string', enum: statuses.map(({ name }) => name) };

/** Texts of these two are there to be edited and put together, not to be read. */
const isRaw = ({ name }: ContentType): boolean => name === 'wp_block';
const isMenu = ({ name }: ContentType): boolean => name === 'wp_navigation';

function texts({ t }: Tools, { type }: Served) {
  const raw = isRaw(type) ? full : isMenu(type) ? (['edit', 'embed'] as const) : edit;
  const rendered = (context: readonly Context[]): Record<string, Part> =>
    isRaw(type) ? {} : { rendered: text(context) };
  const shown = isMenu(type) ? always : full;
  const hidden: Part = { type: 'boolean', context: always };
  const version: Part = { type: 'integer', context: isMenu(type) ? ['edit', 'embed'] : edit };
  const hasExcerpt = type.supports.includes('excerpt') || type.name === 'page';
  return {
    ...t.includedIf(type.supports.includes('title'), {
      title: textField(t, always, 'Title.', { raw: text(raw), ...rendered(always) }),
    }),
    ...t.includedIf(type.supports.includes('editor'), {
      content: textField(t, shown, 'Text.', {
        raw: text(raw),
        ...rendered(shown),
        block_version: version,
        protected: hidden,
      }),
    }),
    ...t.includedIf(hasExcerpt, {
      excerpt: textField(t, always, 'Excerpt, a short summary.', {
        raw: text(edit),
        rendered: text(always),
        protected: hidden,
      }),
    }),
  };
}

const moment = ({ t }: Tools, context: readonly Context[], description: string) =>
  t.optional(t.nullable(t.string({ format: 'date-time' }), { format: 'date-time', context, description }));

function head(tools: Tools, { type }: Served) {
  const { t } = tools;
  const told = (context: readonly Context[], description: string, format?: string) =>
    t.fixed(t.string({ context, description, ...(format !== undefined && { format }) }));
  return {
    id: t.fixed(t.integer({ context: always, description: 'Its number.' })),
    date: moment(tools, always, 'Date of publication, in the time zone of the site.'),
    date_gmt: moment(tools, full, 'Date of publication, in UTC.'),
    guid: t.fixed(
      t.object(
        { rendered: told(full, 'As HTML.'), raw: told(edit, 'Source text.') },
        { context: full, description: 'Permanent unique identifier.' },
      ),
    ),
    modified: told(full, 'Time of the last change, in the time zone of the site.', 'date-time'),
    modified_gmt: told(full, 'Time of the last change, in UTC.', 'date-time'),
    ...t.includedIf(type.name !== 'attachment', {
      password: t.optional(
        t.string({ context: edit, description: 'Password that visitors need to read the text.', check: shortWord }),
      ),
    }),
    slug: t.optional(t.string({ context: always, description: 'Slug, for URLs.' })),
    status: t.optional(t.answeredAs(anyStatus, t.choice<string>(writable, { context: full, description: 'Status.' }))),
    type: told(always, 'Type of the record.'),
    link: told(always, 'Public URL.', 'uri'),
  };
}

const shortWord = (word: string) =>
  word.length <= 255 ? undefined : { code: 'rest_too_long', message: 'password must have at most 255 characters.' };

/** More than this nothing is sorted by, and every one becomes a part of a statement. */
const mostTerms = 1_000;

const fewEnough = (list: readonly unknown[]) =>
  list.length <= mostTerms ? undefined : { code: 'rest_too_many_items', message: `Send at most ${mostTerms} values.` };

function middle({ t }: Tools, { type }: Served) {
  const { supports, hierarchical, name } = type;
  const has = (feature: ContentType['supports'][number]): boolean => supports.includes(feature);
  const number = (description: string, context = full) => t.optional(t.integer({ context, description }));
  const open = (description: string) => t.optional(t.choice(['open', 'closed'], { context: full, description }));
  return {
    ...t.includedIf(has('author'), { author: number('Id of the author.', always) }),
    ...t.includedIf(has('thumbnail') || name === 'attachment', {
      featured_media: number('Id of the featured picture.', always),
    }),
    ...t.includedIf(hierarchical, { parent: number('Id of the parent.') }),
    ...t.includedIf(has('page-attributes'), { menu_order: number('Position in menus and lists.') }),
    ...t.includedIf(has('comments'), {
      comment_status: open('Whether it accepts comments.'),
      ping_status: open('Whether it accepts mentions from other sites.'),
    }),
    ...t.includedIf(name === 'post', {
      sticky: t.optional(t.boolean({ context: full, description: 'Whether it is sticky, at the top of lists.' })),
    }),
    template: template({ t }),
    ...t.includedIf(has('post-formats'), {
      format: t.optional(t.choice(formats, { context: full, description: 'Post format.' })),
    }),
  };
}

/** There are none to choose from: each type looks as it does. A record may keep one that it had elsewhere. */
const template = ({ t }: Tools) =>
  t.optional(
    t.publishedAs(
      t.string(),
      t.untyped({
        context: full,
        description: 'Template of its page.',
        // Null says nothing of it, as everywhere.
        check: (value: unknown) => (value === null || typeof value === 'string' ? undefined : noTemplate),
      }),
    ),
  );

const noTemplate = { code: 'rest_invalid_param', message: 'This template does not exist.' };

function metaField({ t }: Tools, { meta }: Served) {
  const keys = Object.fromEntries(meta.map(({ key, schema }) => [key, t.optional(schema)]));
  const about = { context: full, description: 'Meta values.' };
  // Lists, null and keys of others are left aside, and each value is judged by its own name.
  const isMap = (value: unknown) => (typeof value === 'object' ? undefined : false);
  // A record shows each key, with its default where nothing is kept.
  const shown = t.object(Object.fromEntries(meta.map(({ key, schema }) => [key, schema]))) as Schema;
  const taken = t.publishedAs(t.object(keys), t.untyped({ ...about, check: isMap }));
  return t.includedIf(meta.length > 0, { meta: t.optional(t.answeredAs(shown, taken)) });
}

function tail({ t }: Tools, { type, taxonomies }: Served) {
  const terms = taxonomies.map(({ base, labels }) => [
    base,
    t.optional(t.list(t.integer(), { context: full, description: `Its terms: ${labels}.`, check: fewEnough })),
  ]);
  const told = (description: string) => t.fixed(t.string({ context: edit, description }));
  return {
    ...t.unlisted(Object.fromEntries(terms)),
    ...t.includedIf(type.viewable, {
      permalink_template: told('URL with a placeholder for the slug.'),
      generated_slug: told('Slug made from the title.'),
      class_list: t.fixed(t.list(t.string(), { context: full, description: 'CSS classes of its page.' })),
    }),
    ...t.includedIf(type.name === 'wp_block', {
      wp_pattern_sync_status: t.fixed(
        t.string({ context: full, description: 'Whether copies of the pattern stay in sync with it.' }),
      ),
    }),
  };
}

/** In the order of the record. */
export const postFields = (tools: Tools, served: Served) => ({
  ...head(tools, served),
  ...texts(tools, served),
  ...middle(tools, served),
  ...metaField(tools, served),
  ...tail(tools, served),
});

/** In which order writing routes list their arguments; others come after. */
export const argumentOrder = [
  ...'date date_gmt slug status password parent title content author excerpt featured_media'.split(' '),
  ...'comment_status ping_status menu_order format meta sticky template'.split(' '),
];
