// Comments as they are kept and as everybody else sees them.
import type { Reads } from '#store/handles.ts';
import type { CommentsTable, ContentTables } from '../tables.ts';
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
