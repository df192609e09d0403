// Links that name a record in a form that this site does not have: it had another form once, or moved in from where there was one.
import type { PageAnswer } from '#kernel/http/page.ts';
import type { Asked } from './asked.ts';
import { isSpelled, leadTo } from './frame.ts';
import type { Ground } from './needs.ts';

const types = ['post', 'page'];

/** To what alone is called as the path ends; nothing where several are, or where that is a number. */
export async function guessed(ground: Ground, { parts, url }: Asked): Promise<PageAnswer | undefined> {
  const { posts, permalinks } = ground.content;
  const slug = parts.at(-1);
  if (slug === undefined || /^\d+$/.test(slug)) return undefined;
  const wanted = { types, statuses: ['publish'], slugs: [slug], limit: 2, offset: 0 };
  const { items } = await posts.list({ ...wanted, order: 'asc', orderBy: 'id' });
  const address = items.length === 1 ? (await permalinks.of(items)).get(items[0]!.id) : undefined;
  return address === undefined || isSpelled(ground, address, url) ? undefined : leadTo(address);
}
