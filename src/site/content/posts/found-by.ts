// What records are found by, and all of them made findable at once.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { AnyTables } from '#store/any.ts';
import { indexNew } from '#store/search.ts';
import { markOf } from '#store/sought.ts';

export const postsSearch = {
  table: 'posts_search',
  id: 'posts.id',
  columns: { title: 'posts.title', excerpt: 'posts.excerpt', content: 'posts.content' },
} as const;

/** What the search table keeps besides: of what type and in what status a record is, and whether a password closes it. */
export const searchMarks = ['kind'] as const;

export const kindMark = (type: string, status: string): string => markOf(`${type}/${status}`);
export const closedMark = (type: string, status: string): string => markOf(`${type}/${status}/closed`);

interface Found {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly password: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
}

/** A record as the search keeps it. */
export const searchRow = ({ id, type, status, password, title, excerpt, content }: Found) => ({
  rowid: id,
  title: fold(title),
  excerpt: fold(excerpt),
  content: fold(content),
  kind: password === '' ? kindMark(type, status) : closedMark(type, status),
});

const atOnce = 100;

/** Fills a search table that has nothing in it. */
export async function indexAllPosts(tx: Transaction<AnyTables>): Promise<void> {
  for (let last = 0; ; ) {
    const posts = tx
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'password', 'title', 'excerpt', 'content'])
      .where('id', '>', last);
    const rows = (await posts.orderBy('id').limit(atOnce).execute()) as Found[];
    await indexNew(tx, postsSearch, rows.map(searchRow));
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}
