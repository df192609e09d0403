import type { Jobs } from '../../jobs/jobs.ts';
import { emptying } from '../emptying.ts';
import { postLock } from '../posts/rows.ts';
import type { Writing } from '../tables.ts';
import type { Comment } from './comment.ts';
import { raiseAnswers } from './faults.ts';
import { unindexComment } from './found-by.ts';
import type { CommentsNeeds } from './needs.ts';
import { columns, recount } from './rows.ts';

type Needs = Pick<CommentsNeeds, 'store' | 'clock' | 'events' | 'trashDays'>;
type Trashed = Pick<Comment, 'id' | 'post_id'>;

export function emptyCommentsTrash(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  emptying(needs, jobs, {
    name: 'comments.empty-trash',
    about: 'Deletes comments that were in the trash for too long',
    trashed: (before, after, limit) =>
      needs.store.db
        .selectFrom('comments')
        .select(['id', 'post_id'])
        .where('status', '=', 'trash')
        .where('trashed_at', '<=', before)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    erase: (comment, before) => eraseTrashed(needs, comment, before),
  });
}

/** Unless somebody brought it back meanwhile. */
async function eraseTrashed({ store, events }: Needs, { id, post_id }: Trashed, before: string): Promise<void> {
  const gone = await store.write(async (tx, { lock }) => {
    await lock(postLock(post_id));
    const comment = await stillTrashed(tx, { id, post_id }, before);
    if (comment !== undefined) await eraseComment(tx, comment);
    return comment;
  });
  if (gone !== undefined) events.emit('comment.deleted', { comment: gone });
}

const stillTrashed = (tx: Writing, { id, post_id }: Trashed, before: string): Promise<Comment | undefined> =>
  tx
    .selectFrom('comments')
    .select(columns)
    .where('id', '=', id)
    .where('post_id', '=', post_id)
    .where('status', '=', 'trash')
    .where('trashed_at', '<=', before)
    .executeTakeFirst();

/** The write has the record to itself that the comment is about. */
export async function eraseComment(tx: Writing, comment: Comment): Promise<void> {
  await raiseAnswers(tx, comment);
  await unindexComment(tx, comment.id);
  await tx.deleteFrom('comment_meta').where('comment_id', '=', comment.id).execute();
  await tx.deleteFrom('comments').where('id', '=', comment.id).execute();
  await recount(tx, comment, undefined);
}
