// What records are found and sorted by: kept beside them.
import { fold } from '#lib/fold.ts';
import { index, indexNew, unindex } from '#store/search.ts';
import type { Writing } from '../tables.ts';
import { postsSearch, searchRow } from './found-by.ts';
import type { Post } from './post.ts';

type Sought = Pick<Post, 'type' | 'status' | 'password' | 'title' | 'excerpt' | 'content'>;

/** An index takes no longer ones. */
const sorted = 200;

export const titleKey = (title: string): string => fold(title.slice(0, sorted)).slice(0, sorted);

export const indexNewPost = (tx: Writing, post: Post): Promise<void> => indexNew(tx, postsSearch, [searchRow(post)]);

const sought = ['type', 'status', 'password', 'title', 'excerpt', 'content'] as const;

export async function indexPost(tx: Writing, before: Sought, post: Post): Promise<void> {
  if (sought.every((field) => before[field] === post[field])) return;
  await index(tx, postsSearch, post.id, searchRow(post));
}

export const unindexPost = (tx: Writing, id: number): Promise<void> => unindex(tx, postsSearch, id);
