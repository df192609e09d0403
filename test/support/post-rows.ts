// Records as rows, for tests of what belongs to a record.

import type { Post } from '#site/content/posts/post.ts';
import { columns } from '#site/content/posts/rows.ts';
import type { ContentTables } from '#site/content/tables.ts';
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

/** A row and nothing that goes with it. */
export const aPostRow = (store: Store<ContentTables>, about: Partial<Post> = {}): Promise<Post> =>
  store.write((tx) =>
    tx
      .insertInto('posts')
      .values({ ...empty, ...about })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
