// What stands in an export file, as plain data.

import { attributesIn, xmlText } from '#lib/xml.ts';
import type { TheirComment, TheirMeta, TheirRecord, TheirTerm, TheirUser } from '../theirs.ts';
import type { Thing } from './frames.ts';
import { formatDomain, formatPrefix, keys } from './names.ts';

/** Who is behind the numbers of users. */
export type Logins = Map<number, string>;

/** Who is remembered, and how long a name may be for that. */
const most = { logins: 50_000, login: 200 };

const numberIn = (text: string | undefined): number => (/^\s*-?\d{1,15}\s*$/.test(text ?? '') ? Number(text) : 0);

export function userOf({ line, texts }: Thing, logins: Logins): TheirUser {
  const id = numberIn(texts['wp:author_id']);
  const login = (texts['wp:author_login'] ?? '').trim();
  if (id > 0 && logins.size < most.logins && login.length <= most.login) logins.set(id, login);
  return {
    line,
    id,
    login,
    email: (texts['wp:author_email'] ?? '').trim(),
    name: texts['wp:author_display_name'] ?? '',
    first_name: texts['wp:author_first_name'] ?? '',
    last_name: texts['wp:author_last_name'] ?? '',
  };
}

/** Three elements say the same in other words. */
const termNames: Readonly<
  Record<string, readonly [taxonomy: string, slug: string, name: string, about: string, parent: string]>
> = {
  'wp:category': ['category', 'wp:category_nicename', 'wp:cat_name', 'wp:category_description', 'wp:category_parent'],
  'wp:tag': ['post_tag', 'wp:tag_slug', 'wp:tag_name', 'wp:tag_description', ''],
  'wp:term': ['', 'wp:term_slug', 'wp:term_name', 'wp:term_description', 'wp:term_parent'],
};

export function termOf({ name: element, line, texts }: Thing): TheirTerm {
  const [taxonomy, slug, name, about, parent] = termNames[element]!;
  return {
    line,
    id: numberIn(texts['wp:term_id']),
    taxonomy: taxonomy || (texts['wp:term_taxonomy'] ?? '').trim(),
    slug: (texts[slug] ?? '').trim(),
    name: texts[name] ?? '',
    description: texts[about] ?? '',
    parent: (texts[parent] ?? '').trim(),
  };
}

const metaIn = (things: readonly Thing[], element: string): TheirMeta[] =>
  things
    .filter(({ name }) => name === element)
    .map(({ texts }) => ({ key: texts['wp:meta_key'] ?? '', value: texts['wp:meta_value'] ?? '' }));

/** What has a field of its own, or is the business of the other site. */
const apart: ReadonlySet<string> = new Set(Object.values(keys).filter((key) => key !== keys.lastEditor));

export function recordOf({ line, texts, things }: Thing): TheirRecord {
  const meta = metaIn(things, 'wp:postmeta');
  const saidOf = (key: string): string => meta.findLast((one) => one.key === key)?.value ?? '';
  const word = (name: string): string => (texts[name] ?? '').trim();
  const categories = things.filter(({ name }) => name === 'category').map(categoryOf);
  const format = categories.find(({ taxonomy }) => taxonomy === formatDomain)?.slug ?? '';
  const template = saidOf(keys.template);
  return {
    line,
    id: numberIn(texts['wp:post_id']),
    type: word('wp:post_type') || 'post',
    title: texts.title ?? '',
    content: texts['content:encoded'] ?? '',
    excerpt: texts['excerpt:encoded'] ?? '',
    status: word('wp:status'),
    slug: word('wp:post_name'),
    author: word('dc:creator'),
    date: word('wp:post_date'),
    date_gmt: word('wp:post_date_gmt'),
    modified: word('wp:post_modified'),
    modified_gmt: word('wp:post_modified_gmt'),
    password: texts['wp:post_password'] ?? '',
    comment_status: word('wp:comment_status'),
    ping_status: word('wp:ping_status'),
    parent: numberIn(texts['wp:post_parent']),
    menu_order: numberIn(texts['wp:menu_order']),
    sticky: word('wp:is_sticky') === '1',
    link: word('link'),
    guid: word('guid'),
    template: template === 'default' ? '' : template,
    format: format.replace(new RegExp(`^${formatPrefix}`), ''),
    featured_media: numberIn(saidOf(keys.thumbnail)),
    terms: categories.filter(({ taxonomy, slug }) => taxonomy !== '' && taxonomy !== formatDomain && slug !== ''),
    meta: meta.filter(({ key }) => !apart.has(key)),
    old_slugs: meta.filter(({ key }) => key === keys.oldSlug).map(({ value }) => value),
    status_before: saidOf(keys.statusBefore),
    slug_before: saidOf(keys.slugBefore),
    file_url: word('wp:attachment_url'),
    alt_text: saidOf(keys.altText),
  };
}

function categoryOf({ attributes, texts }: Thing) {
  const { domain = '', nicename = '' } = attributesIn(attributes);
  const name = texts[''] ?? '';
  return { taxonomy: xmlText(domain), slug: xmlText(nicename) || name, name };
}

export function commentOf({ line, texts, things }: Thing, logins: Logins): TheirComment {
  const word = (name: string): string => (texts[`wp:comment_${name}`] ?? '').trim();
  return {
    line,
    id: numberIn(word('id')),
    parent: numberIn(word('parent')),
    author_name: texts['wp:comment_author'] ?? '',
    author_email: word('author_email'),
    author_url: word('author_url'),
    author_ip: word('author_IP'),
    author_user_agent: word('agent'),
    author: logins.get(numberIn(word('user_id'))) ?? '',
    date: word('date'),
    date_gmt: word('date_gmt'),
    content: texts['wp:comment_content'] ?? '',
    status: word('approved'),
    type: word('type'),
    meta: metaIn(things, 'wp:commentmeta'),
  };
}
