// What comments are found by, and all of them made findable at once.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { AnyTables } from '#store/handles.ts';
import { index, indexNew, type Searchable, unindex } from '#store/search.ts';
import type { Writing } from '../tables.ts';
import type { Comment } from './comment.ts';

export const commentsSearch = {
  table: 'comments_search',
  id: 'comments.id',
  columns: {
    content: 'comments.content',
    name: 'comments.author_name',
    url: 'comments.author_url',
    email: 'comments.author_email',
    ip: 'comments.author_ip',
  },
} as const satisfies Searchable<string>;

type Found = Pick<Comment, 'id' | 'content' | 'author_name' | 'author_url' | 'author_email' | 'author_ip'>;

const texts = (comment: Found) => ({
  content: fold(comment.content),
  name: fold(comment.author_name),
  url: fold(comment.author_url),
  email: fold(comment.author_email),
  ip: fold(comment.author_ip),
});

export const indexComment = (tx: Writing, comment: Found): Promise<void> =>
  index(tx, commentsSearch, comment.id, texts(comment));

export const indexNewComments = (tx: Writing, comments: readonly Found[]): Promise<void> =>
  indexNew(
    tx,
    commentsSearch,
    comments.map((comment) => ({ rowid: comment.id, ...texts(comment) })),
  );

export const unindexComment = (tx: Writing, id: number): Promise<void> => unindex(tx, commentsSearch, id);

const atOnce = 200;

/** Fills a search table that has nothing in it. */
export async function indexAllComments(tx: Transaction<AnyTables>): Promise<void> {
  for (let last = 0; ; ) {
    const comments = tx
      .selectFrom('comments')
      .select(['id', 'content', 'author_name', 'author_url', 'author_email', 'author_ip'])
      .where('id', '>', last);
    const rows = (await comments.orderBy('id').limit(atOnce).execute()) as Found[];
    await indexNew(
      tx,
      commentsSearch,
      rows.map((row) => ({ rowid: row.id, ...texts(row) })),
    );
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}
