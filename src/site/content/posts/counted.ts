// How many records there are of a type and status, and of whom.
import { countAll, type More, moved } from '../../totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

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
    [totalTopics.authors, moved(before, after, ({ author, type, status }) => `${author}/${type}/${status}`)],
    [totalTopics.posts, moved(before, after, ({ type, status }) => `${type}/${status}`)],
  ]);
}
