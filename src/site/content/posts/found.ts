// A record as a write finds it that has it to itself.
import type { Instant } from '#store/columns.ts';
import type { PostsTable, Writing } from '../tables.ts';
import type { Post } from './post.ts';
import { columns } from './rows.ts';

/** With the slug it had before it was put into the trash. */
export type Found = Post & Pick<PostsTable, 'slug_before'>;

/** The name under which writes of one record wait for each other. */
export const postLock = (id: number): string => `post ${id}`;

/** Nobody else changes it from now on, also of those who do not ask for its lock. */
export const findFound = (tx: Writing, id: number): Promise<Found | undefined> =>
  foundBy(tx, id).forNoKeyUpdate().executeTakeFirst();

/** Nor does anybody begin to show it. */
export const findGoing = (tx: Writing, id: number): Promise<Found | undefined> =>
  foundBy(tx, id).forUpdate().executeTakeFirst();

/** If it still lies in the trash, and did so at this moment. */
export const findTrashed = (tx: Writing, id: number, at: Instant): Promise<Found | undefined> =>
  foundBy(tx, id).where('status', '=', 'trash').where('trashed_at', '<=', at).forUpdate().executeTakeFirst();

const foundBy = (tx: Writing, id: number) =>
  tx
    .selectFrom('posts')
    .select([...columns, 'slug_before'])
    .where('id', '=', id);
