// Deleting a comment for good.
import type { Writing } from '../tables.ts';
import type { Comment } from './comment.ts';
import { recount } from './counted.ts';
import { unindexComment } from './found-by.ts';
import { raiseAnswers } from './places.ts';

/** The write has the record to itself that the comment is about. */
export async function eraseComment(tx: Writing, comment: Comment): Promise<void> {
  await raiseAnswers(tx, comment);
  await unindexComment(tx, comment.id);
  await tx.deleteFrom('comment_meta').where('comment_id', '=', comment.id).execute();
  await tx.deleteFrom('comments').where('id', '=', comment.id).execute();
  await recount(tx, comment, undefined);
}
