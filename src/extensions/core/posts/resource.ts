// A record as the interface shows one, and what a request says of a record, as the noun takes it.
import { invalidParam } from '#kernel/errors.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Context } from '#kernel/schema.ts';
import { picked, withoutUndefined } from '#lib/objects.ts';
import { type Extra, noExtras } from '#site/content/extending.ts';
import { type PostInput, saidColumns } from '#site/content/posts/post.ts';
import { statuses, writable } from '#site/content/statuses.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { rawOf } from '../texts.ts';
import { postFields, type Served } from './fields.ts';
import { deedsOf, linksOf } from './links.ts';
import { isHidden, type ShownPost } from './shown-post.ts';

type Read = (post: ShownPost, context: Context) => unknown;

/** Content made of blocks begins each with such a comment. */
const hasBlocks = ({ content }: ShownPost): boolean => content.includes('<!-- wp:');

const computed = {
  date_gmt: ({ date_gmt, modified_gmt }) => date_gmt ?? modified_gmt,
  guid: ({ guid }) => ({ rendered: guid, raw: guid }),
  title: ({ title, basis }) => ({ raw: title, rendered: basis.rendering.title(title) }),
  content(post) {
    const isShown = !isHidden(post);
    return {
      raw: isShown ? post.content : '',
      rendered: isShown ? post.shown.html : '',
      protected: post.password !== '',
      block_version: hasBlocks(post) ? 1 : 0,
    };
  },
  excerpt(post) {
    const isShown = !isHidden(post);
    return {
      raw: isShown ? post.excerpt : '',
      rendered: isShown ? post.prose.excerpt(post, post.words) : '',
      protected: post.password !== '',
    };
  },
  sticky: ({ sticky }) => sticky === 1,
  format: ({ format }) => format || 'standard',
  permalink_template: ({ permalinkTemplate }) => permalinkTemplate,
  generated_slug: ({ generatedSlug }) => generatedSlug,
  class_list: classesOf,
  wp_pattern_sync_status: ({ meta }) => meta.wp_pattern_sync_status,
} satisfies Readonly<Record<string, Read>>;

/** Texts of blocks are shown to whoever may see them as they are, and so are not rendered. */
const raw: Readonly<Record<string, Read>> = {
  title: ({ title }) => ({ raw: title }),
  content: (post) => ({
    raw: isHidden(post) ? '' : post.content,
    protected: post.password !== '',
    block_version: hasBlocks(post) ? 1 : 0,
  }),
};

export function postResource(
  tools: Pick<Toolkit<Core>, 't' | 'resource'>,
  served: Served,
  extra: Extra = noExtras(served.type.name),
) {
  const { type, taxonomies } = served;
  const terms = taxonomies.map(({ base, name }): [string, Read] => [
    base,
    (post) => (post.terms[name] ?? []).map(({ id }) => id),
  ]);
  const own = postFields(tools, served);
  const taken = Object.keys(extra.fields).find((name) => name in own);
  if (taken !== undefined) throw new TypeError(`Records of the type ${type.name} have a field ${taken} of their own.`);
  const extras = Object.keys(extra.fields).map((name): [string, Read] => [
    name,
    (post) => (extra.ofText.has(name) && isHidden(post) ? undefined : post.extra[name]),
  ]);
  return tools.resource({
    name: type.name,
    fields: { ...own, ...tools.t.unlisted(extra.fields) },
    compute: { ...computed, ...(type.name === 'wp_block' && raw), ...unlisted([...terms, ...extras]) },
    links: linksOf,
    deeds: deedsOf(served),
    page: ({ basis, link }: ShownPost) => (basis.type.viewable ? link : undefined),
  });
}

/** Of fields that no type lists. */
export const unlisted = (computed: readonly (readonly [string, unknown])[]): object => Object.fromEntries(computed);

const prefixes: Readonly<Record<string, string>> = { post_tag: 'tag' };

/** The classes that themes and scripts know the page of a record by. */
function classesOf(post: ShownPost): string[] {
  const { id, type, status, basis, format, password, featured_media, sticky, terms } = post;
  const sorted = basis.taxonomies.flatMap(({ name }) =>
    (terms[name] ?? []).map(({ id: term, slug }) => `${prefixes[name] ?? name}-${classOf(slug, term)}`),
  );
  return [
    `post-${id}`,
    type,
    `type-${type}`,
    `status-${status}`,
    ...(basis.type.supports.includes('post-formats') ? [`format-${format || 'standard'}`] : []),
    ...(password === '' ? [] : ['post-password-required']),
    ...(featured_media > 0 ? ['has-post-thumbnail'] : []),
    ...(sticky === 1 ? ['sticky'] : []),
    'hentry',
    ...sorted,
    ...(format === '' ? [] : [`post_format-post-format-${format}`]),
  ];
}

/** A slug in letters that no class is written with goes by its number. */
const classOf = (slug: string, id: number): string | number =>
  slug.replace(/%[\da-f]{2}/gi, '').replace(/-+$/, '') || id;

/** The arguments of a write, once they are settled; each type has some of them. */
export type Sent = RecordOf<ReturnType<typeof postResource>['updateArgs']>;

export function saidOf(sent: Sent, { taxonomies, meta: keys }: Served): PostInput {
  const { title, content, excerpt, author, format, template, meta, ...others } = sent;
  const byBase: Readonly<Record<string, unknown>> = sent;
  const terms = taxonomies.flatMap(({ name, base }) => (Array.isArray(byBase[base]) ? [[name, byBase[base]]] : []));
  return withoutUndefined({
    ...picked(others, saidColumns),
    title: rawOf(title),
    content: rawOf(content),
    excerpt: rawOf(excerpt),
    author: author === 0 ? undefined : author,
    format: format === 'standard' ? '' : format,
    template: typeof template === 'string' ? template : undefined,
    terms: terms.length > 0 ? Object.fromEntries(terms) : undefined,
    meta: typeof meta === 'object' && meta !== null && keys.length > 0 ? { ...meta } : undefined,
  });
}

/** All that a record can be: it may stay what it is, whoever writes. */
export const anyOfThem = statuses.map(({ name }) => name);

/** What only the service makes of a record is no status to give; what it is already it may be told again. */
export function demandWritable(status: string | undefined, before: string): void {
  if (status === undefined || status === before || (writable as readonly string[]).includes(status)) return;
  const message = `status must be one of: ${writable.join(', ')}.`;
  throw invalidParam('status', { code: 'rest_not_in_enum', message });
}
