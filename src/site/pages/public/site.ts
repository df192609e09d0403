// The public site: what stands at an address of it, whatever the address.
import type { OpenSite } from '#kernel/http/open-pages.ts';
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Asker } from '#kernel/schema.ts';
import { urlBelow } from '#lib/addresses.ts';
import { type Html, html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { commentsPage } from '../../content/comments/threads.ts';
import type { Post } from '../../content/posts/post.ts';
import { previewPurpose } from '../../identity/sessions/sessions.ts';
import type { User } from '../../identity/users/user.ts';
import { type Guest, type House, type HouseNow, opened } from '../door.ts';
import { textOf } from '../forms.ts';
import { plainText } from '../layout.ts';
import { type Asked, askedOf, numberIn } from './asked.ts';
import { byNumber, type Found, found } from './by-number.ts';
import { embedPage } from './embed-page.ts';
import { commentsFeed, postsFeed } from './feed.ts';
import { isSpelled, leadTo, leaf, searchForm } from './frame.ts';
import { archived, entries, type Listed, latest, searched } from './lists.ts';
import { robots, siteMap } from './maps.ts';
import { type Ground, groundOf, ours, type PublicNeeds } from './needs.ts';
import { partAddress, single } from './single.ts';

// A page of a list: its entries, and the ways to the pages before and after.

/** Nothing, where there is no such page of it. */
async function list(ground: Ground, listed: Listed, page: number, url: string): Promise<PageAnswer | undefined> {
  const address = pageAddress(listed, page);
  const isSearch = listed.search !== undefined;
  if (!isSpelled(ground, address, url)) return leadTo(address);
  const { items, total } = listed.search === '' ? none : await posts(ground, listed, page);
  const pages = Math.ceil(total / ground.perPage);
  if (page > Math.max(1, pages) || (items.length === 0 && !listed.mayBeEmpty)) return undefined;
  const { title, heading, about } = listed;
  return leaf(ground, {
    title: page === 1 ? title : `${title}, page ${page}`,
    description: about && readText(String(about)).trim().slice(0, longestLine),
    url,
    isUnlisted: isSearch,
    isSearch,
    // However many are searched for, none of them is kept.
    ...(!isSearch && { address }),
    ...(listed.hasFeed && { feed: { title: `${title} · ${ground.title}`, url: urlBelow(listed.address, 'feed/') } }),
    // Where it is called as the site, that is written above it.
    body: html`<h1${title === ground.title && html` class="unseen"`}>${heading}</h1>
${page === 1 && about && html`<div class="about">${about}</div>\n`}${isSearch && searchForm(ground, listed.search)}
${items.length > 0 ? await entries(ground, items) : emptyList(ground, listed)}
${turning(ground, listed, page, pages)}`,
  });
}

/** A search form that was not filled in has no list below it. */
function emptyList(ground: Ground, { search }: Listed): Html | undefined {
  if (search === '') return undefined;
  return html`<p${ours(ground)}>${search === undefined ? 'There are no posts yet.' : 'Nothing was found.'}</p>`;
}

const longestLine = 200;
const none = { items: [], total: 0 };

const posts = ({ content, perPage }: Ground, { wanted }: Listed, page: number) =>
  content.posts.list({ ...wanted, limit: perPage, offset: (page - 1) * perPage });

const pageAddress = ({ address, query = '' }: Listed, page: number): string =>
  `${page === 1 ? address : urlBelow(address, `page/${page}/`)}${query}`;

function turning(ground: Ground, listed: Listed, page: number, pages: number): Html | undefined {
  if (pages < 2) return undefined;
  const to = (number: number, words: string, rel: string): Html =>
    html`<a href="${pageAddress(listed, number)}" rel="${rel}">${words}</a>`;
  const [before, after] = listed.search === undefined ? ['Newer posts', 'Older posts'] : ['Back', 'More'];
  return html`<nav class="turn" aria-label="Pages of this list"${ours(ground)}>
<div>${page > 1 && to(page - 1, before, 'prev')}</div>
<div>Page ${page} of ${pages}</div>
<div>${page < pages && to(page + 1, after, 'next')}</div>
</nav>`;
}

/** Nothing for people who may not edit the record, and for what has no page. */
async function preview(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const { guest, content } = ground;
  const token = textOf(asked.query, 'preview_nonce');
  if (guest === undefined && token === '') return undefined;
  const post = await previewed(ground, asked);
  if (post === undefined || post.status === 'trash') return undefined;
  if (content.kinds.type(post.type)?.viewable !== true) return undefined;
  const user = await viewer(ground, post, token);
  if (user === undefined || !content.rights.mayEdit(askerOf(ground, user), post)) return undefined;
  const address = (await content.permalinks.of([post])).get(post.id)!;
  const shown = { ...(await withUnsaved(ground, user, post)), featured_media: pictureOf(asked, post), password: '' };
  const part = numberIn(asked.query, 'page') || 1;
  return single(ground, { post: shown, address, part, commentsPage: 1, isPreview: true }, visit);
}

/** Editors name a featured picture that is not saved yet. */
const pictureOf = ({ query }: Asked, { featured_media }: Post): number =>
  numberIn(query, '_thumbnail_id') ?? featured_media;

/** The record that the link names by `preview_id`, else the one at the address itself. */
function previewed({ content, url: home }: Ground, { query, url }: Asked): Promise<Post | undefined> {
  const id = numberIn(query, 'preview_id');
  return id === undefined ? content.permalinks.at(`${home}${url}`) : content.posts.find(id);
}

/** A link with a token opens by that alone: it names the record, and the application password that it was made with. */
async function viewer({ guest, house }: Ground, { id }: Post, token: string): Promise<User | undefined> {
  const { sessions, applicationPasswords } = house.identity;
  if (token === '') return guest?.user;
  if (guest !== undefined && sessions.isToken(guest, previewPurpose(id), token)) return guest.user;
  const password = sessions.linkPassword(previewPurpose(id), token);
  return password === undefined ? undefined : (await applicationPasswords.holderOfNumber(password))?.user;
}

function askerOf({ house }: Ground, { id, roles }: User): Asker {
  const capabilities = house.identity.roles.capabilitiesOf(roles);
  return { id, can: (capability) => capabilities.has(capability) };
}

/** With what this user wrote and has not saved, if that is newer than the record. */
async function withUnsaved({ content }: Ground, user: User, post: Post): Promise<Post> {
  const all = await content.revisions.autosaves(post.id);
  const own = all.find(({ author, date_gmt }) => author === user.id && date_gmt >= post.modified_gmt);
  return own === undefined ? post : { ...post, title: own.title, content: own.content, excerpt: own.excerpt };
}

type Answer = Promise<PageAnswer | undefined> | PageAnswer | undefined;

export function publicSite(needs: PublicNeeds, houseNow: HouseNow): OpenSite {
  return opened(houseNow, async (visit: Visit, guest: Guest, house: House) => {
    const ground = await groundOf(needs, house, guest);
    const asked = askedOf(visit);
    return (await answer(ground, asked, visit)) ?? (await guessed(ground, asked)) ?? missing(ground);
  });
}

function answer(ground: Ground, asked: Asked, visit: Visit): Answer {
  const [first = '', ...more] = asked.parts;
  if (more.length === 0) {
    if (first === 'robots.txt') return robots(ground, asked.url);
    if (first === 'favicon.ico') return icon(ground);
    if (first === 'index.php') return ofOldFront(ground, asked);
    if (/^wp-sitemap.*\.xml$/.test(first)) return leadTo(`${ground.url}/sitemap.xml`);
    if (/^sitemap.*\.xml$/.test(first)) return siteMap(ground, first, asked.url);
  }
  return published(ground, asked, visit);
}

/** Whoever is at work on something sees it as it will be; everybody else as it is. */
async function published(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const ahead = textOf(asked.query, 'preview') === 'true' ? await preview(ground, asked, visit) : undefined;
  return ahead ?? (asked.parts.length === 0 ? front(ground, asked, visit) : atPath(ground, asked, visit));
}

/** The front page as links of old have it: what they ask for is elsewhere now. */
function ofOldFront(ground: Ground, { query }: Asked): Answer {
  const { address, query: behind } = typeof query.s === 'string' ? searched(ground, query.s) : latest(ground);
  return (behind === undefined && byNumber(ground, query)) || leadTo(`${address}${behind ?? ''}`);
}

async function front(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  if (typeof asked.query.s === 'string') return list(ground, searched(ground, asked.query.s), 1, asked.url);
  const elsewhere = byNumber(ground, asked.query);
  if (elsewhere !== undefined) return elsewhere;
  const page = await found(ground, []);
  const isPage = page !== undefined && page.post.id === ground.frontPage;
  return isPage
    ? single(ground, { ...page, part: 1, commentsPage: 1 }, visit)
    : list(ground, latest(ground), 1, asked.url);
}

/** A record by its own address first: whatever it is called, it has one that leads to it. */
async function atPath(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const exact = await found(ground, asked.parts);
  if (exact !== undefined) return ofRecord(ground, exact, { ...asked, tail: { kind: 'none', number: 1 } }, visit);
  const gathered = await ground.content.archives.at(asked.parts);
  if (gathered !== undefined) return ofList(ground, await archived(ground, gathered), { ...asked, tail: plain });
  if (asked.tail.kind === 'none') return undefined;
  if (asked.stem.length === 0) return ofFront(ground, asked, visit);
  if (asked.tail.kind === 'feed' && asked.stem.join('/') === 'comments')
    return isFeedAt(ground, asked, `${ground.url}/comments/`) ?? commentsFeed(ground, undefined, asked.url);
  const record = await found(ground, asked.stem);
  if (record !== undefined) return ofRecord(ground, record, asked, visit);
  const archive = await ground.content.archives.at(asked.stem);
  return archive && ofList(ground, await archived(ground, archive), asked);
}

const plain = { kind: 'none', number: 1 } as const;

/** What follows the address of the front page itself. */
async function ofFront(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const { kind, number } = asked.tail;
  const home = `${ground.url}/`;
  if (kind === 'feed') return isFeedAt(ground, asked, home) ?? postsFeed(ground, latest(ground), asked.url);
  if (kind === 'page' && typeof asked.query.s === 'string')
    return list(ground, searched(ground, asked.query.s), number, asked.url);
  const page = await found(ground, []);
  if (page !== undefined && page.post.id === ground.frontPage) return ofRecord(ground, page, asked, visit);
  return kind === 'page' ? list(ground, latest(ground), number, asked.url) : undefined;
}

/** To the one address of a feed; nothing, where it was asked for there. */
const isFeedAt = (ground: Ground, { url }: Asked, address: string): PageAnswer | undefined =>
  isSpelled(ground, urlBelow(address, 'feed/'), url) ? undefined : leadTo(urlBelow(address, 'feed/'));

async function ofList(ground: Ground, listed: Listed | undefined, asked: Asked): Promise<PageAnswer | undefined> {
  if (listed === undefined) return undefined;
  const { kind, number } = asked.tail;
  if (kind === 'feed') {
    if (!listed.hasFeed) return undefined;
    return isFeedAt(ground, asked, listed.address) ?? postsFeed(ground, listed, asked.url);
  }
  return kind === 'none' || kind === 'page' ? list(ground, listed, number, asked.url) : undefined;
}

async function ofRecord(ground: Ground, one: Found, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const { post, address } = one;
  const { kind, number } = asked.tail;
  const isPostsPage = ground.set.show_on_front === 'page' && post.id === ground.set.page_for_posts;
  if (isPostsPage && (kind === 'none' || kind === 'page')) return list(ground, latest(ground, one), number, asked.url);
  if (post.password !== '' && (kind === 'feed' || kind === 'embed')) return undefined;
  if (kind === 'feed') return isFeedAt(ground, asked, address) ?? commentsFeed(ground, one, asked.url);
  if (kind === 'embed') return embedded(ground, one, asked);
  if (kind === 'page') return undefined;
  const part = kind === 'part' ? number : 1;
  const said = kind === 'comments' ? number : 1;
  const exact = kind === 'comments' ? commentsPage(address, said) : partAddress(address, part);
  if (!isSpelled(ground, exact, asked.url)) return leadTo(exact);
  return single(ground, { post, address, part, commentsPage: said }, visit);
}

const embedded = (ground: Ground, { post, address }: Found, { url }: Asked): Answer =>
  isSpelled(ground, urlBelow(address, 'embed/'), url)
    ? embedPage(ground, post, address, url)
    : leadTo(urlBelow(address, 'embed/'));

async function icon({ set, content: { media } }: Ground): Promise<PageAnswer> {
  const file = set.site_icon === 0 ? undefined : (await media.files([set.site_icon])).get(set.site_icon);
  return file === undefined ? plainText(404, 'This site has no icon.\n') : leadTo(media.urlOf(file.file), 302);
}

const missing = (ground: Ground): Promise<PageAnswer> =>
  leaf(ground, {
    title: 'This page does not exist',
    status: 404,
    body: html`<div${ours(ground)}><h1>This page does not exist</h1>
<p>The page may have moved, or the URL may have a typing error.</p>
<p class="row"><a href="${ground.house.at('/')}">Go to the front page</a></p></div>`,
  });

// Links may name a record in an older form, because the site used another permalink form or imported its records.

const types = ['post', 'page'];

/** To what alone is called as the path ends; nothing where several are, or where that is a number. */
async function guessed(ground: Ground, { parts, url }: Asked): Promise<PageAnswer | undefined> {
  const { posts, permalinks } = ground.content;
  const slug = parts.at(-1);
  if (slug === undefined || /^\d+$/.test(slug)) return undefined;
  const wanted = { types, statuses: ['publish'], slugs: [slug], limit: 2, offset: 0 };
  const { items } = await posts.list({ ...wanted, order: 'asc', orderBy: 'id' });
  const address = items.length === 1 ? (await permalinks.of(items)).get(items[0]!.id) : undefined;
  return address === undefined || isSpelled(ground, address, url) ? undefined : leadTo(address);
}
