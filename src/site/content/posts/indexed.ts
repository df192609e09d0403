// What records are found and sorted by: kept beside them.
import { fold } from '#lib/fold.ts';
import type { Writing } from '../tables.ts';
import { findable, foundAnew, searchRow, unfindable } from './found-by.ts';
import type { Post } from './post.ts';

type Sought = Pick<Post, 'type' | 'status' | 'password' | 'title' | 'excerpt' | 'content'>;

/** An index takes no longer ones. */
const sorted = 200;

export const titleKey = (title: string): string => fold(title.slice(0, sorted)).slice(0, sorted);

export const indexNewPost = (tx: Writing, post: Post): Promise<void> => findable(tx, [searchRow(post)]);

const sought = ['type', 'status', 'password', 'title', 'excerpt', 'content'] as const;

export async function indexPost(tx: Writing, before: Sought, post: Post): Promise<void> {
  if (sought.every((field) => before[field] === post[field])) return;
  await foundAnew(tx, searchRow(post));
}

export const unindexPost = (tx: Writing, id: number): Promise<void> => unfindable(tx, id);
