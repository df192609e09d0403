// How many records there are of a type and status, and of whom.
import { count } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

type Counted = Pick<Post, 'type' | 'status' | 'author'>;

/** One fewer of what it was, one more of what it is: nothing, of what is not there. */
export async function recount(tx: Writing, before: Counted | undefined, after: Counted | undefined): Promise<void> {
  const authors = more(before, after, ({ author, type, status }) => `${author}/${type}/${status}`);
  const posts = more(before, after, ({ type, status }) => `${type}/${status}`);
  await Promise.all([count(tx, totalTopics.authors, authors), count(tx, totalTopics.posts, posts)]);
}

function more(
  before: Counted | undefined,
  after: Counted | undefined,
  keyOf: (post: Counted) => string,
): Record<string, number> {
  const keys = { gone: before && keyOf(before), come: after && keyOf(after) };
  if (keys.gone === keys.come) return {};
  return { ...(keys.gone !== undefined && { [keys.gone]: -1 }), ...(keys.come !== undefined && { [keys.come]: 1 }) };
}
