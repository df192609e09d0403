// How many comments there are, in all and on each record.
import { count, moved } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Comment } from './comment.ts';

type Counted = Pick<Comment, 'post_id' | 'type' | 'status'>;

/** As it was, if it was there, and as it is now. */
export async function recount(tx: Writing, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  await count(
    tx,
    totalTopics.comments,
    moved(before, after, ({ type, status }) => `${type}/${status}`),
  );
  await count(
    tx,
    totalTopics.commentsOf,
    moved(before, after, ({ post_id, type, status }) => `${post_id}/${type}/${status}`),
  );
}
