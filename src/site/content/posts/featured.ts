// The picture a record is shown with.
import type { Post } from './post.ts';

/** What is no file is passed over. `near`: the one said, if it is there, among others. */
export function pictureOf(
  near: readonly Pick<Post, 'id' | 'type'>[],
  said: number | undefined,
  before: number,
): number {
  if (said === undefined || said === 0) return said ?? before;
  return near.some(({ id, type }) => id === said && type === 'attachment') ? said : before;
}
