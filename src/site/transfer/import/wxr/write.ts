// A site as an export file of this family: RSS with elements of its own. Written piece by piece, however large the site is.

import { escapeHtml } from '#lib/html.ts';
import { slugOf } from '#lib/slug.ts';
import { utcTime, wallTime } from '#lib/wall-time.ts';
import type { AnyStore } from '#store/store.ts';
import type { Content } from '../../../content/content.ts';
import { isMark } from '../../../content/test-data-mark.ts';
import type { AboutNow } from '../../../platform/about.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Settings } from '../../../platform/settings/settings.ts';
import type { SiteGroup } from '../../../platform/settings/site.ts';
import { authorsOf, type Db, siteOf, termsOf } from './channel.ts';
import { type Leaving, type LeavingComment, leaving } from './leaving.ts';
import {
  cdata,
  commentStates,
  formatDomain,
  formatPrefix,
  keys,
  mailTimeOf,
  namespaces,
  noTime,
  numberIn,
  textIn,
  timeOf,
  within,
} from './names.ts';
import type { Selection } from './selection.ts';

interface ExportDeps {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly about: AboutNow;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  readonly content: Content;
}

export interface Exporting {
  /** `{site}.{YYYY-MM-DD}.xml`. */
  name(): Promise<string>;
  /** Gives `take` the pieces of the file, all as they are at one moment. What comes next is read once it has taken the last. */
  write(
    selection: Selection,
    take: (pieces: AsyncIterable<string>) => Promise<void>,
    progress?: Progress,
  ): Promise<void>;
}

/** So many records are written by now. */
export type Progress = (records: number) => void;

/** What belongs to each kind of name on every system. */
const nameable = /[^a-z0-9]+/g;

export function createExporting(deps: ExportDeps): Exporting {
  const { store, clock, about, content } = deps;
  return {
    async name() {
      const { title } = await about();
      const site =
        slugOf(title)
          .replace(nameable, '-')
          .replace(/^-+|-+$/g, '')
          .slice(0, 60) || 'site';
      return `${site}.${wallTime(await content.zone(), clock()).slice(0, 10)}.xml`;
    },
    write: (selection, take, progress) => store.still((db) => take(gathered(pieces(deps, db, selection, progress)))),
  };
}

/** In characters. */
const atOnce = 2 ** 16;

/** Whoever takes pieces does so for much less than each of many small ones would cost. */
async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < atOnce) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function* pieces(deps: ExportDeps, db: Db, selection: Selection, progress: Progress = () => {}) {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${declared}>\n<channel>\n`;
  yield* lines(headOf(deps, db, selection));
  const { content } = deps;
  let records = 0;
  for await (const some of leaving(db, selection)) {
    const links = await content.permalinks.of(some.map(({ post }) => post));
    for (const one of some) yield* itemOf(one, links.get(one.post.id)!, content.media.urlOf);
    records += some.length;
    progress(records);
  }
  yield '</channel>\n</rss>\n';
}

const declared = Object.entries(namespaces)
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

async function* lines(all: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const one of all) yield `${one}\n`;
}

async function* headOf(deps: ExportDeps, db: Db, selection: Selection): AsyncGenerator<string> {
  const { about, settings, siteGroup, clock, content } = deps;
  const { title, url, language } = await about();
  const { description } = await settings.read(siteGroup);
  yield siteOf({ title, url, description, language: language.replaceAll('_', '-'), utc: utcTime(clock()) });
  yield* authorsOf(db, selection);
  if (selection.type !== undefined) return;
  for (const { name } of content.kinds.taxonomies) yield* termsOf(db, name);
}

/** Piece by piece: a record may have more comments than anybody holds at once. */
async function* itemOf(record: Leaving, link: string, urlOf: (file: string) => string): AsyncGenerator<string> {
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
