// How many records there are of a type and status, and of whom.
import { countAll, each, type More, moved, summed } from '../../platform/totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

/** Many that are new, each with what its terms count. */
export async function countNew(
  tx: Writing,
  all: readonly { readonly post: Counted; readonly terms: More }[],
): Promise<void> {
  await countAll(tx, [
    [totalTopics.terms, summed(all.map(({ terms }) => terms))],
    [totalTopics.authors, each(all.map(({ post }) => authorKey(post)))],
    [totalTopics.posts, each(all.map(({ post }) => typeKey(post)))],
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
