// How many records there are of a type and status, and of whom.
import { countAll, type More, moved } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

/** Many that are new, each with what its terms count. */
export async function countNew(
  tx: Writing,
  all: readonly { readonly post: Counted; readonly terms: More }[],
): Promise<void> {
  const sum = (keysOf: (one: (typeof all)[number]) => More): More => {
    const total: Record<string, number> = {};
    for (const one of all) for (const [key, by] of Object.entries(keysOf(one))) total[key] = (total[key] ?? 0) + by;
    return total;
  };
  await countAll(tx, [
    [totalTopics.terms, sum(({ terms }) => terms)],
    [totalTopics.authors, sum(({ post }) => ({ [authorKey(post)]: 1 }))],
    [totalTopics.posts, sum(({ post }) => ({ [typeKey(post)]: 1 }))],
  ]);
}

type Counted = Pick<Post, 'type' | 'status' | 'author'>;

/** As it was, if it was there, and as it is now. `terms`: what its terms count, not counted yet. */
export async function recount(
  tx: Writing,
  before: Counted | undefined,
  after: Counted | undefined,
  terms: More = {},
): Promise<void> {
  await countAll(tx, [
    [totalTopics.terms, terms],
    [totalTopics.authors, moved(before, after, authorKey)],
    [totalTopics.posts, moved(before, after, typeKey)],
  ]);
}

const typeKey = ({ type, status }: Counted): string => `${type}/${status}`;
const authorKey = (post: Counted): string => `${post.author}/${typeKey(post)}`;
