// How many comments there are, in all and on each record.
import { count } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Comment } from './comment.ts';

type Counted = Pick<Comment, 'post_id' | 'type' | 'status'>;

/** One fewer of what it was, one more of what it is: nothing, of what is not there. */
export async function recount(tx: Writing, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  await count(
    tx,
    totalTopics.comments,
    more(before, after, ({ type, status }) => `${type}/${status}`),
  );
  await count(
    tx,
    totalTopics.commentsOf,
    more(before, after, ({ post_id, type, status }) => `${post_id}/${type}/${status}`),
  );
}

function more(
  before: Counted | undefined,
  after: Counted | undefined,
  keyOf: (comment: Counted) => string,
): Record<string, number> {
  const totals: Record<string, number> = {};
  const add = (comment: Counted | undefined, by: number): void => {
    if (comment === undefined) return;
    const key = keyOf(comment);
    totals[key] = (totals[key] ?? 0) + by;
  };
  add(before, -1);
  add(after, 1);
  return totals;
}
