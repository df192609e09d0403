// Records as rows, for tests of what belongs to a record.

import type { Post } from '#site/content/posts/post.ts';
import { columns } from '#site/content/posts/rows.ts';
import type { ContentTables, Writing } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';

const empty = {
  type: 'post',
  status: 'publish',
  author: 0,
  parent: 0,
  menu_order: 0,
  slug: '',
  date: '2026-11-20T12:00:00',
  date_gmt: '2026-11-20T12:00:00',
  modified: '2026-11-20T12:00:00',
  modified_gmt: '2026-11-20T12:00:00',
  password: '',
  comment_status: 'open',
  ping_status: 'open',
  template: '',
  format: '',
  sticky: 0,
  featured_media: 0,
  mime_type: '',
  guid: '',
  version: 1,
  title_key: '',
  title: '',
  excerpt: '',
  content: '',
} as const;

const mostAtOnce = 100;

/** Rows and nothing that goes with them. */
export async function insertPostRows(tx: Writing, abouts: readonly Partial<Post>[]): Promise<Post[]> {
  const all: Post[] = [];
  for (let at = 0; at < abouts.length; at += mostAtOnce) {
    const rows = abouts.slice(at, at + mostAtOnce).map((about) => ({ ...empty, ...about }));
    all.push(...(await tx.insertInto('posts').values(rows).returning(columns).execute()));
  }
  return all;
}

export const aPostRow = async (store: Store<ContentTables>, about: Partial<Post> = {}): Promise<Post> =>
  (await store.write((tx) => insertPostRows(tx, [about])))[0]!;
