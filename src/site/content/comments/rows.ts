// Comments as they are kept and as everybody else sees them.
import type { Reads } from '#store/handles.ts';
import { count, each, moved } from '../../platform/totals.ts';
import { type CommentsTable, type ContentTables, totalTopics, type Writing } from '../tables.ts';
import type { Comment } from './comment.ts';

type Db = Reads<Pick<ContentTables, 'comments'>>;

/** Every column that is seen. */
export const columns = [
  'id',
  'post_id',
  'parent',
  'user_id',
  'author_name',
  'author_email',
  'author_url',
  'author_ip',
  'author_user_agent',
  'date',
  'date_gmt',
  'type',
  'status',
  'status_before',
  'content',
] as const satisfies readonly (keyof CommentsTable & keyof Comment)[];

export async function findComment(db: Db, id: number): Promise<Comment | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  return db.selectFrom('comments').select(columns).where('id', '=', id).executeTakeFirst();
}

export const emailKey = (email: string): string => email.trim().toLowerCase();

/** How many comments there are, in all and on each record. */
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
