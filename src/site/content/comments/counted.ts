// How many comments there are, in all and on each record.
import { count, each, moved } from '../../platform/totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Comment } from './comment.ts';

type Counted = Pick<Comment, 'post_id' | 'type' | 'status'>;

/** As it was, if it was there, and as it is now. */
export async function recount(tx: Writing, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  await count(tx, totalTopics.comments, moved(before, after, stateKey));
  await count(tx, totalTopics.commentsOf, moved(before, after, placeKey));
}

/** Many that are new. */
export async function countNew(tx: Writing, all: readonly Counted[]): Promise<void> {
  await count(tx, totalTopics.comments, each(all.map(stateKey)));
  await count(tx, totalTopics.commentsOf, each(all.map(placeKey)));
}

const stateKey = ({ type, status }: Counted): string => `${type}/${status}`;
const placeKey = (comment: Counted): string => `${comment.post_id}/${stateKey(comment)}`;
