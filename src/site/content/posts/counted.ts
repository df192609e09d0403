// How many records there are of a type and status, and of whom.
import { countAll, type More } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

type Counted = Pick<Post, 'type' | 'status' | 'author'>;

/** One fewer of what it was, one more of what it is: nothing, of what is not there. `terms`: what its terms count, not counted yet. */
export async function recount(
  tx: Writing,
  before: Counted | undefined,
  after: Counted | undefined,
  terms: More = {},
): Promise<void> {
  await countAll(tx, [
    [totalTopics.terms, terms],
    [totalTopics.authors, more(before, after, ({ author, type, status }) => `${author}/${type}/${status}`)],
    [totalTopics.posts, more(before, after, ({ type, status }) => `${type}/${status}`)],
  ]);
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
