// A record as an item of the file.
import { escapeHtml } from '#lib/html.ts';
import { isMark } from '../../../content/test-data-mark.ts';
import { cdata, mailTimeOf, numberIn, textIn, timeOf, within } from './elements.ts';
import type { Leaving, LeavingComment } from './leaving.ts';
import { commentStates, formatDomain, formatPrefix, keys, noTime } from './names.ts';

/** Piece by piece: a record may have more comments than anybody holds at once. */
export async function* itemOf(record: Leaving, link: string, urlOf: (file: string) => string): AsyncGenerator<string> {
  yield ['<item>', ...fieldsOf(record, link)].join('\n');
  const parts = [
    ...(record.file === undefined ? [] : [textIn('wp:attachment_url', urlOf(record.file.path))]),
    ...categoriesOf(record),
    ...metaOf(record).map(([key, value]) => pair('wp:postmeta', key, value)),
  ];
  yield parts.map((part) => `\n${part}`).join('');
  for await (const comment of record.comments()) yield `\n${commentOf(comment)}`;
  yield '\n</item>\n';
}

function fieldsOf({ post }: Leaving, link: string): string[] {
  const { date_gmt, modified, modified_gmt } = post;
  return [
    textIn('title', post.title),
    textIn('link', link),
    `<pubDate>${date_gmt === null ? '' : mailTimeOf(date_gmt)}</pubDate>`,
    textIn('dc:creator', post.login ?? ''),
    `<guid isPermaLink="false">${cdata(post.guid)}</guid>`,
    '<description></description>',
    textIn('content:encoded', post.content),
    textIn('excerpt:encoded', post.excerpt),
    numberIn('wp:post_id', post.id),
    textIn('wp:post_date', timeOf(post.date)),
    textIn('wp:post_date_gmt', date_gmt === null ? noTime : timeOf(date_gmt)),
    textIn('wp:post_modified', timeOf(modified)),
    textIn('wp:post_modified_gmt', timeOf(modified_gmt)),
    textIn('wp:comment_status', post.comment_status),
    textIn('wp:ping_status', post.ping_status),
    textIn('wp:post_name', post.slug),
    textIn('wp:status', post.status),
    numberIn('wp:post_parent', post.parent),
    numberIn('wp:menu_order', post.menu_order),
    textIn('wp:post_type', post.type),
    textIn('wp:post_password', post.password),
    numberIn('wp:is_sticky', post.sticky),
  ];
}

function categoriesOf({ post, terms }: Leaving): string[] {
  const format = post.format && category(formatDomain, `${formatPrefix}${post.format}`, post.format);
  const others = terms.map(({ taxonomy, slug, name }) => category(taxonomy, slug, name));
  return format === '' ? others : [...others, format];
}

const category = (domain: string, slug: string, name: string): string =>
  `<category domain="${escapeHtml(domain)}" nicename="${escapeHtml(slug)}">${cdata(name)}</category>`;

const pair = (element: string, key: string, value: string): string =>
  within(element, [textIn('wp:meta_key', key), textIn('wp:meta_value', value)]);

type Meta = readonly (readonly [string, string])[];

/** What has no element of its own. */
function metaOf({ post, file, oldSlugs, meta }: Leaving): Meta {
  return [
    ...(post.featured_media > 0 ? [[keys.thumbnail, String(post.featured_media)] as const] : []),
    ...(post.template === '' ? [] : [[keys.template, post.template] as const]),
    ...(file === undefined ? [] : [[keys.file, file.path] as const]),
    ...(file === undefined || file.altText === '' ? [] : [[keys.altText, file.altText] as const]),
    ...oldSlugs.map((slug) => [keys.oldSlug, slug] as const),
    ...(post.slug_before === null ? [] : [[keys.slugBefore, post.slug_before] as const]),
    ...trashedOf(post, post.status_before),
    ...Object.entries(meta)
      .filter(([key]) => !isMark(key))
      .flatMap(([key, value]) => written(value).map((text) => [key, text] as const)),
  ];
}

/** What it was before it was put into the trash, and when that was. */
const trashedOf = ({ trashed_at }: { readonly trashed_at: string | null }, before: string | null): Meta => [
  ...(before === null ? [] : [[keys.statusBefore, before] as const]),
  ...(trashed_at === null ? [] : [[keys.trashedAt, String(Math.floor(Date.parse(trashed_at) / 1_000))] as const]),
];

/** Several texts under one key stand there one by one, as they came. */
function written(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const isMany = Array.isArray(value) && value.length > 1 && value.every((one) => typeof one === 'string');
  return isMany ? value : [JSON.stringify(value)];
}

const stateOf = (status: string): string => commentStates[status as keyof typeof commentStates] ?? status;

function commentOf(comment: LeavingComment): string {
  const before = comment.status_before;
  return within('wp:comment', [
    numberIn('wp:comment_id', comment.id),
    textIn('wp:comment_author', comment.author_name),
    textIn('wp:comment_author_email', comment.author_email),
    textIn('wp:comment_author_url', comment.author_url),
    textIn('wp:comment_author_IP', comment.author_ip),
    textIn('wp:comment_agent', comment.author_user_agent),
    textIn('wp:comment_date', timeOf(comment.date)),
    textIn('wp:comment_date_gmt', timeOf(comment.date_gmt)),
    textIn('wp:comment_content', comment.content),
    textIn('wp:comment_approved', stateOf(comment.status)),
    textIn('wp:comment_type', comment.type),
    numberIn('wp:comment_parent', comment.parent),
    numberIn('wp:comment_user_id', comment.user_id),
    ...trashedOf(comment, before && stateOf(before)).map(([key, value]) => pair('wp:commentmeta', key, value)),
  ]);
}
