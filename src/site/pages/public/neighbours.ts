// The posts before and after one, by time.
import { sql } from 'kysely';
import { type Html, html } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import { headed } from './entries.ts';
import type { Ground } from './needs.ts';
import { ours } from './ours.ts';

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
