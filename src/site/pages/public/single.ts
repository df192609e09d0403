// The page of one record: what it says, who said it and when, what is said about it, and where to go from here.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { urlBelow } from '#lib/addresses.ts';
import { type Html, html, markup } from '#lib/html.ts';
import { eachToken, meaning, type Opening, readText } from '#lib/html-tokens.ts';
import { commentsPage } from '../../content/comments/threads.ts';
import type { MediaFile } from '../../content/media/media.ts';
import type { Post } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import { quoted } from '../../content/rendering/dynamic/markup.ts';
import { pictureHtml, type Shown, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import { comments, mentions } from './comments.ts';
import { leaf } from './frame.ts';
import { about, headed } from './lists.ts';
import { pagesBelow, titleOf } from './navigation.ts';
import { type Ground, ours } from './needs.ts';
import { isOpened, passwordForm } from './opened.ts';
import { leading, neighbours } from './record-links.ts';

/** A long text that its author cut into parts, each with an address of its own. */
const cut = '<!--nextpage-->';

/** The block that holds the cut is none of the parts. */
const held = /<!-- wp:nextpage (?:\{[^}]{0,200}\} )?-->\s{0,10}<!--nextpage-->\s{0,10}<!-- \/wp:nextpage -->/g;

/** No text is cut into more. */
const most = 500;

export function partsOf(content: string): string[] {
  if (!content.includes(cut)) return [content];
  const parts = content.replace(held, cut).split(cut, most);
  // One that begins with a cut begins there.
  return parts[0]!.trim() === '' && parts.length > 1 ? parts.slice(1) : parts;
}

export const partAddress = (address: string, part: number): string =>
  part === 1 ? address : urlBelow(address, `${part}/`);

/** A preview has one address, so its parts are told apart by the query. `url`: of another part of it. */
function previewedPart(url: string, part: number): string {
  const [path, query] = url.split('?', 2);
  const asked = new URLSearchParams(query);
  asked.set('page', String(part));
  return `${path}?${asked}`;
}

/** `at`: the address of each part. */
function partsNavigation(ground: Ground, at: (part: number) => string, part: number, parts: number): Html | undefined {
  if (parts < 2) return undefined;
  const ways = Array.from({ length: parts }, (_, index) => index + 1).map((number) =>
    number === part
      ? html`<li><a href="${at(number)}" aria-current="page">${number}</a></li>`
      : html`<li><a href="${at(number)}">${number}</a></li>`,
  );
  return html`<nav aria-label="Parts of this text"${ours(ground)}><ul class="plain ways"><li>Parts:</li>${ways}</ul></nav>\n`;
}

export interface Single {
  readonly post: Post;
  /** Of the record, and of what of it is shown. */
  readonly address: string;
  readonly part: number;
  readonly commentsPage: number;
  /** As somebody sees it who is still at it: nobody else may, and nothing of it is remembered. */
  readonly isPreview?: true;
  readonly isWrong?: boolean;
}

/** Nothing, where there is no such part of it. */
export async function single(ground: Ground, one: Single, visit: Visit): Promise<PageAnswer | undefined> {
  const { post, address } = one;
  const isOpenToAll = post.password === '' && one.isPreview !== true;
  const isClosed = post.password !== '' && !isOpened(ground, visit, post.password);
  const parts = isClosed ? [''] : partsOf(post.content);
  if (one.part > parts.length) return undefined;
  const [record, author] = await Promise.all([
    isClosed ? lockedRecord(ground, one) : readableRecord(ground, one, parts),
    ground.content.archives.findAuthor(post.author),
  ]);
  if (record === undefined) return undefined;
  const { picture, body } = record;
  const { head, links } = leading(ground, post, address);
  const partAt = (part: number): string =>
    one.isPreview ? `${ground.url}${previewedPart(visit.url, part)}` : partAddress(address, part);
  const title = titleOf(ground, post.title);
  return leaf(ground, {
    title: one.part > 1 ? `${title}, part ${one.part}` : title,
    address: one.commentsPage > 1 ? commentsPage(address, one.commentsPage) : partAddress(address, one.part),
    url: visit.url,
    kind: 'article',
    description: record.description,
    picture: picture?.src,
    head,
    links,
    feed: isOpenToAll ? { title: `${title}: comments`, url: urlBelow(address, 'feed/') } : undefined,
    isPersonal: !isOpenToAll,
    isUnlisted: one.isPreview === true,
    body: html`<article>
${await crumbs(ground, post)}<h1>${markup(quoted(ground.content.rendering.title(post.title)) || '(no title)')}</h1>
${about(ground, post, author?.name, author && ground.content.permalinks.ofAuthor(author.slug))}
${picture && html`<div class="lead">${markup(foremost(pictureHtml(picture, 'size-large')))}</div>\n`}<div class="text">
${picture === undefined ? markup(firstPictureEager(String(body))) : body}
</div>
${partsNavigation(ground, partAt, one.part, parts.length)}${await sorts(ground, post)}
</article>
${record.comments}
${record.mentions}${await below(ground, post)}${await neighbours(ground, post)}`,
  });
}

interface SingleRecord {
  readonly body: Html;
  readonly picture?: Shown | undefined;
  readonly description?: string;
  readonly comments?: Html | undefined;
  readonly mentions?: Html | undefined;
}

const lockedRecord = (ground: Ground, { address, isWrong = false }: Single): SingleRecord => ({
  body: passwordForm(ground, address, isWrong),
});

/** Returns nothing if there is no such page of its comments. */
async function readableRecord(
  ground: Ground,
  one: Single,
  parts: readonly string[],
): Promise<SingleRecord | undefined> {
  const { post, address } = one;
  const talk = await comments(ground, post, address, one.commentsPage);
  if (talk === undefined) return undefined;
  const [body, picture, description, mentioned] = await Promise.all([
    text(ground, one, parts),
    pictureOf(ground, post),
    lineOf(ground, post),
    one.commentsPage > 1 ? undefined : mentions(ground, post),
  ]);
  return { body, picture, description, comments: talk === 'none' ? undefined : talk, mentions: mentioned };
}

async function text(ground: Ground, { post, part, isPreview }: Single, parts: readonly string[]): Promise<Html> {
  const content = parts[part - 1]!;
  const whole = parts.length === 1 && !isPreview;
  const key = whole ? `post ${post.id}` : `post ${post.id} part ${part}${isPreview ? ' preview' : ''}`;
  const [file, [shown]] = await Promise.all([
    fileShown(ground, post),
    ground.content.rendering.contents([{ key, content, of: post, forEditor: isPreview }]),
  ]);
  return html`${file}${markup(balanced(shown?.html ?? ''))}`;
}

async function pictureOf(ground: Ground, { featured_media: id }: Post): Promise<Shown | undefined> {
  return (await shownPictures({ ...ground, media: ground.content.media }, [id], 'large')).get(id);
}

const longestLine = 200;

async function lineOf({ content }: Ground, post: Post): Promise<string> {
  const { excerpt } = await content.rendering.prose();
  const text = readText(excerpt(post, 30)).replace(/\s+/g, ' ').trim();
  return text.length > longestLine
    ? `${text
        .slice(0, longestLine)
        .replace(/\s\S*$/, '')
        .toWellFormed()} …`
    : text;
}

/** What it lies below, if everybody may see that. */
async function crumbs(ground: Ground, { parent, type }: Post): Promise<Html | undefined> {
  const above = parent === 0 ? undefined : await ground.content.posts.find(parent);
  const isTree = type === 'attachment' || ground.content.kinds.type(type)?.hierarchical === true;
  if (above === undefined || !isTree || above.status !== 'publish') return undefined;
  const link = (await ground.content.permalinks.of([above])).get(above.id);
  return html`<p class="crumbs"><a href="${link}" rel="up">${headed(ground, above.title)}</a></p>\n`;
}

/** The pages below a page. */
async function below(ground: Ground, { id, type }: Post): Promise<Html | undefined> {
  const pages = type === 'page' ? await pagesBelow(ground, id) : [];
  if (pages.length === 0) return undefined;
  return html`<nav aria-label="Below this page"${ours(ground)}><ul class="plain ways">${pages.map(
    ({ title, url }) => html`<li><a href="${url}">${title}</a></li>`,
  )}</ul></nav>\n`;
}

// What a record is sorted by, each with its archive.

async function sorts(ground: Ground, post: Post): Promise<Html | undefined> {
  const { content } = ground;
  const type = content.kinds.type(post.type);
  const taxonomies = type === undefined ? [] : content.kinds.taxonomiesOf(type).filter((one) => one.public);
  const carried = taxonomies.length === 0 ? undefined : (await content.terms.of([post.id])).get(post.id);
  if (carried === undefined) return undefined;
  const links = await content.permalinks.ofTerms(taxonomies.flatMap(({ name }) => carried[name] ?? []));
  const rows = taxonomies
    .map(({ name, label, labels }) => ({ terms: carried[name] ?? [], label, labels }))
    .filter(({ terms }) => terms.length > 0);
  return html`<dl class="sorts">${rows.map(
    ({ terms, label, labels }) => html`
<dt${ours(ground)}>${terms.length === 1 ? label : labels}:</dt><dd>${terms.map(
      ({ id, name }, at) => html`${at > 0 && ', '}<a href="${links.get(id)}" rel="tag">${markup(balanced(name))}</a>`,
    )}</dd>`,
  )}
</dl>`;
}

// The first large picture of a page loads at once and before others, because readers wait for it.

/** In pixels: smaller ones are seldom what people wait for. */
const large = 50_000;

const late = '<img loading="lazy"';

/** Only what rendering itself put off is brought forward: whoever wrote `loading` meant it. */
export function firstPictureEager(html: string): string {
  if (!html.includes(late)) return html;
  let found: Opening | undefined;
  eachToken(html, (token) => {
    if (found === undefined && token.kind === 'open' && token.name === 'img' && isLarge(token)) found = token;
  });
  if (found === undefined || !html.startsWith(late, found.start)) return html;
  const tag = html
    .slice(found.start, found.end)
    .replace(late, '<img fetchpriority="high"')
    .replace(' sizes="auto, ', ' sizes="');
  return html.slice(0, found.start) + tag + html.slice(found.end);
}

function isLarge({ attributes }: Opening): boolean {
  const sideOf = (side: string): number =>
    Number(meaning(attributes.find(({ name }) => name === side)?.written ?? null));
  return sideOf('width') * sideOf('height') >= large;
}

// The file that a record stands for, as its page shows it.

async function fileShown(ground: Ground, post: Post): Promise<Html | undefined> {
  const { media } = ground.content;
  const file = post.type === 'attachment' ? (await media.files([post.id])).get(post.id) : undefined;
  if (file === undefined) return undefined;
  const url = media.urlOf(file.file);
  const prose = await ground.content.rendering.prose();
  const caption =
    post.excerpt.trim() === ''
      ? undefined
      : html`<figcaption>${markup(balanced(prose.caption(post.excerpt)))}</figcaption>`;
  return html`<figure class="lead">${await shown(ground, post, file, url)}${caption}</figure>`;
}

async function shown(ground: Ground, post: Post, file: MediaFile, url: string): Promise<Html> {
  const { media } = ground.content;
  const kind = post.mime_type.split('/')[0];
  if (kind === 'audio') return html`<audio controls preload="metadata" src="${url}"></audio>`;
  if (kind === 'video') return html`<video controls preload="metadata" src="${url}"></video>`;
  const picture = (await shownPictures({ ...ground, media }, [post.id], 'large')).get(post.id);
  if (picture === undefined) return html`<a href="${url}">${file.file.replace(/^.*\//, '')}</a>`;
  return html`<a href="${url}">${markup(foremost(pictureHtml({ ...picture, alt: picture.alt || titleOf(ground, post.title) }, 'size-large')))}</a>`;
}

/** Of the picture that people wait for. */
const foremost = (img: string): string => img.replace('<img ', '<img fetchpriority="high" ');
