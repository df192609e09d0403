// What is new, for programs that look for it: RSS 2.0.
import type { PageAnswer } from '#kernel/http/page.ts';
import { urlBelow } from '#lib/addresses.ts';
import { formatDate } from '#lib/format-date.ts';
import { type Html, html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Comment } from '../../content/comments/comment.ts';
import type { Post } from '../../content/posts/post.ts';
import { authorNames } from '../../content/rendering/dynamic/open-records.ts';
import type { Listed } from './lists.ts';
import { titleOf } from './navigation.ts';
import type { Ground } from './needs.ts';
import { xml } from './xml.ts';

const most = 10;

interface Channel {
  readonly title: string;
  /** Where people read it, and where this is. */
  readonly link: string;
  readonly self: string;
  readonly items: readonly Html[];
  readonly url: string;
}

function feed(ground: Ground, { title, link, self, items, url }: Channel): PageAnswer {
  const { house } = ground;
  const body = html`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
<channel>
<title>${title}</title>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
<link>${link}</link>
<description>${house.description}</description>
<language>${house.name.language}</language>
${items}</channel>
</rss>
`;
  return xml({ body, type: 'application/rss+xml', isAsked: self === `${ground.url}${url}` });
}

const sentAt = (ground: Ground, { date, date_gmt }: Pick<Post, 'date' | 'date_gmt'>): string =>
  formatDate('r', { wall: date_gmt ?? date, utc: date_gmt ?? date }, ground);

/** The newest of a list. */
export async function postsFeed(ground: Ground, listed: Listed, url: string): Promise<PageAnswer> {
  const { content, title: name } = ground;
  const { items: posts } = await content.posts.list({ ...listed.wanted, stickyFirst: false, limit: most, offset: 0 });
  const title = listed.title === name ? name : `${listed.title} · ${name}`;
  const items = await postItems(ground, posts);
  return feed(ground, { title, link: listed.address, self: urlBelow(listed.address, 'feed/'), items, url });
}

async function postItems(ground: Ground, posts: readonly Post[]): Promise<Html[]> {
  const { content } = ground;
  const open = posts.filter(({ password }) => password === '');
  const [links, names, sorts, prose, shown] = await Promise.all([
    content.permalinks.of(posts),
    authorNames(ground, posts),
    content.terms.of(posts.map(({ id }) => id)),
    content.rendering.prose(),
    content.rendering.contents(open.map((post) => ({ key: `post ${post.id}`, content: post.content, of: post }))),
  ]);
  const texts = new Map(open.map((post, at) => [post.id, withoutScripts(ground, shown[at]!.html)]));
  return posts.map((post) => {
    const text = texts.get(post.id);
    const terms = Object.values(sorts.get(post.id) ?? {}).flat();
    return html`<item>
<title>${titleOf(ground, post.title)}</title>
<link>${links.get(post.id)}</link>
<dc:creator>${names.get(post.author)}</dc:creator>
<pubDate>${sentAt(ground, post)}</pubDate>
${terms.map(({ name }) => html`<category>${readText(name)}</category>\n`)}<guid isPermaLink="false">${post.guid}</guid>
<description>${text === undefined ? 'Enter the password on the site to read this.' : readText(prose.excerpt(post)).trim()}</description>
${text !== undefined && html`<content:encoded>${text}</content:encoded>\n`}</item>
`;
  });
}

/** What makes frames grow on pages does nothing in a feed. */
const withoutScripts = ({ content: { rendering } }: Ground, text: string): string =>
  [
    ...rendering.scripts.map((script) => `<script>${script}</script>`),
    ...rendering.scriptFiles.map((url) => `<script defer src="${url}"></script>`),
  ].reduce((rest, tag) => rest.replaceAll(tag, ''), text);

/** Of the whole site, as far as everybody may see what they are about; or of one record. */
export async function commentsFeed(
  ground: Ground,
  about: { readonly post: Post; readonly address: string } | undefined,
  url: string,
): Promise<PageAnswer> {
  const { content, title: name, url: home } = ground;
  const wanted = { statuses: ['approved'], type: 'comment', order: 'desc', orderBy: 'date_gmt', offset: 0 } as const;
  const all = await content.comments.list({ ...wanted, limit: most * 5, ...(about && { posts: [about.post.id] }) });
  const posts = about ? new Map([[about.post.id, about.post]]) : await openPosts(ground, all.items);
  const some = all.items.filter(({ post_id }) => posts.has(post_id)).slice(0, most);
  const [addresses, prose] = await Promise.all([content.permalinks.of([...posts.values()]), content.rendering.prose()]);
  const links = await content.threads.links(some, addresses);
  const items = some.map((comment) => {
    const post = posts.get(comment.post_id)!;
    const shown = prose.comment(comment.content);
    return html`<item>
<title>${comment.author_name || 'Anonymous'}: ${titleOf(ground, post.title)}</title>
<link>${links.get(comment.id)}</link>
<dc:creator>${comment.author_name}</dc:creator>
<pubDate>${sentAt(ground, comment)}</pubDate>
<guid isPermaLink="false">${home}/?p=${post.id}#comment-${comment.id}</guid>
<description>${readText(shown).trim()}</description>
<content:encoded>${shown}</content:encoded>
</item>
`;
  });
  const title = about ? `Comments: ${titleOf(ground, about.post.title)}` : `Comments: ${name}`;
  const link = about?.address ?? `${home}/`;
  return feed(ground, { title, link, self: about ? urlBelow(link, 'feed/') : `${home}/comments/feed/`, items, url });
}

/** Those that everybody may see and no password closes. */
async function openPosts({ content }: Ground, said: readonly Comment[]): Promise<Map<number, Post>> {
  const found = await content.posts.some(said.map(({ post_id }) => post_id));
  return new Map([...found].filter(([, { status, password }]) => status === 'publish' && password === ''));
}
