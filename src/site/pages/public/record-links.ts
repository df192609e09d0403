// How the page of one record leads programs on: to the record in the interface, to its short address, to how it looks inside of
// another page.

import { sql } from 'kysely';
import { apiUrl } from '#kernel/faces.ts';
import { type Html, html } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import { headed } from './lists.ts';
import { type Ground, ours } from './needs.ts';

interface Leading {
  readonly head: Html;
  readonly links: readonly string[];
}

interface Way {
  readonly rel: 'alternate' | 'shortlink';
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
}

export function leading(ground: Ground, post: Post, address: string): Leading {
  const ways = waysOf(ground, post, address);
  return {
    head: html`${ways.map(
      ({ rel, href, type, title }) =>
        html`<link rel="${rel}"${title && html` title="${title}"`}${type && html` type="${type}"`} href="${href}">\n`,
    )}`,
    links: ways.map(({ rel, href, type, title }) =>
      [
        `<${href}>`,
        rel === 'shortlink' ? 'rel=shortlink' : `rel="${rel}"`,
        title && `title="${title}"`,
        type && `type="${type}"`,
      ]
        .filter(Boolean)
        .join('; '),
    ),
  };
}

function waysOf({ url, roots, face, isEmbeddable, content }: Ground, post: Post, address: string): Way[] {
  const { base = '' } = content.kinds.type(post.type) ?? {};
  const record = apiUrl(roots, face, `/core/v2/${base}/${post.id}`);
  const embed = `${apiUrl(roots, face, '/oembed/1.0/embed')}?url=${encodeURIComponent(address)}`;
  const embeds: Way[] = [
    { rel: 'alternate', title: 'oEmbed (JSON)', type: 'application/json+oembed', href: embed },
    { rel: 'alternate', title: 'oEmbed (XML)', type: 'text/xml+oembed', href: `${embed}&format=xml` },
  ];
  return [
    { rel: 'alternate', title: 'JSON', type: 'application/json', href: record },
    { rel: 'shortlink', href: `${url}/?p=${post.id}` },
    ...(isEmbeddable() && post.password === '' ? embeds : []),
  ];
}

// The posts before and after one, by time.

const columns = ['id', 'type', 'status', 'slug', 'date', 'parent', 'title'] as const;

function beside({ store }: Ground, { id, type, date }: Post, way: 'before' | 'after') {
  const here = sql`(${date}, ${id})`;
  const there = sql`(posts.date, posts.id)`;
  const order = way === 'before' ? 'desc' : 'asc';
  return store.db
    .selectFrom('posts')
    .select(columns)
    .where('type', '=', type)
    .where('status', '=', 'publish')
    .where(way === 'before' ? sql<boolean>`${there} < ${here}` : sql<boolean>`${there} > ${here}`)
    .orderBy('date', order)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst();
}

/** Of pages and files there are none: they stand in a tree. */
export async function neighbours(ground: Ground, post: Post): Promise<Html | undefined> {
  const type = ground.content.kinds.type(post.type);
  if (post.status !== 'publish' || type === undefined || type.hierarchical || type.name === 'attachment')
    return undefined;
  const [before, after] = await Promise.all([beside(ground, post, 'before'), beside(ground, post, 'after')]);
  const there = [before, after].filter((one) => one !== undefined);
  if (there.length === 0) return undefined;
  const links = await ground.content.permalinks.of(there);
  const to = (one: typeof before, words: string, rel: string): Html | undefined =>
    one &&
    html`<span${ours(ground)}>${words}</span><a href="${links.get(one.id)}" rel="${rel}">${headed(ground, one.title)}</a>`;
  return html`<nav class="turn" aria-label="Other posts">
<div>${to(before, 'Before', 'prev')}</div>
<div>${to(after, 'After', 'next')}</div>
</nav>`;
}
