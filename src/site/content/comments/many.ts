// Making many comments in one write. They come from the program: they are not judged, and nobody is told of them by letter.
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { metaRows } from '../meta.ts';
import { postLock } from '../posts/found.ts';
import type { Post } from '../posts/post.ts';
import { somePosts } from '../posts/rows.ts';
import type { Writing } from '../tables.ts';
import { type CommentRow, keepNewComments } from './add.ts';
import type { Comment, OneOfMany } from './comment.ts';
import { emailKey } from './rows.ts';

export type Records = ReadonlyMap<number, Post>;

/** Has the records to itself that they are about; those that are still there, by number. */
export async function holdRecords(tx: Writing, { lock }: During, all: readonly OneOfMany[]): Promise<Records> {
  const ids = [...new Set(all.map(({ post }) => post))].sort((one, other) => one - other);
  for (const id of ids) await lock(postLock(id));
  return somePosts(tx, ids);
}

/** In their order; nothing for one about a record that is gone. */
export async function insertMany(
  tx: Writing,
  records: Records,
  all: readonly OneOfMany[],
  now: Date,
): Promise<(Comment | undefined)[]> {
  const kept = all.filter(({ post }) => records.has(post));
  const rows = kept.map((one) => ({ row: rowOf(one, records.get(one.post)!, now) }));
  const comments = rows.length === 0 ? [] : await keepNewComments(tx, rows);
  const meta = comments.flatMap(({ id }, at) => metaRows(kept[at]!.meta).map((row) => ({ comment_id: id, ...row })));
  if (meta.length > 0) await tx.insertInto('comment_meta').values(meta).execute();
  const made = new Map(comments.map((comment, at) => [kept[at], comment]));
  return all.map((one) => made.get(one));
}

const rowOf = ({ post, moment, status, meta: _, ...said }: OneOfMany, record: Post, now: Date): CommentRow => ({
  ...said,
  ...stateOf(status, record, now),
  post_id: post,
  parent: 0,
  user_id: 0,
  email_key: emailKey(said.author_email),
  date: moment.wall,
  date_gmt: moment.utc,
  type: 'comment',
});

/** What is put aside was shown before; about a record in the trash, all but what is there already waits there with it. */
function stateOf(status: OneOfMany['status'], record: Post, now: Date) {
  const status_before = status === 'approved' || status === 'hold' ? null : 'approved';
  if (status === 'trash') return { status, status_before, trashed_at: instant(now) };
  const state = { status, status_before, trashed_at: null };
  return record.status === 'trash' ? { ...state, status: 'post-trashed', status_before: status } : state;
}
