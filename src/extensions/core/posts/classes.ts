// The classes that the page of a record is marked with, as themes and scripts know them.
import type { ShownPost } from './shown-post.ts';

const prefixes: Readonly<Record<string, string>> = { post_tag: 'tag' };

export function classesOf(post: ShownPost): string[] {
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
