import type { Jobs } from '../../jobs/jobs.ts';
import { emptying } from '../emptying.ts';
import { erasePost } from './erase.ts';
import { findTrashed, postLock } from './found.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post } from './post.ts';
import { takeBranch, treeLock } from './tree.ts';

type Needs = Pick<
  WritingNeeds,
  'store' | 'clock' | 'events' | 'kinds' | 'terms' | 'revisions' | 'comments' | 'onErase' | 'trashDays'
>;

type Trashed = Pick<Post, 'id' | 'type'>;

export function emptyTrash(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  emptying(needs, jobs, {
    name: 'posts.empty-trash',
    about: 'Deletes what lies in the trash for too long',
    trashed: (before, after, limit) =>
      needs.store.db
        .selectFrom('posts')
        .select(['id', 'type'])
        .where('status', '=', 'trash')
        .where('trashed_at', '<=', before)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    erase: (post, before) => eraseTrashed(needs, post, before),
  });
}

/** Unless somebody brought it back meanwhile. */
async function eraseTrashed(needs: Needs, { id, type }: Trashed, before: string): Promise<void> {
  const post = await needs.store.write(async (tx, during) => {
    await during.lock(postLock(id));
    await Promise.all([during.lock(treeLock), takeBranch(tx, { id, type })]);
    const found = await findTrashed(tx, id, before);
    if (found === undefined) return undefined;
    const { slug_before: _, ...post } = found;
    await erasePost(tx, during, post, needs);
    return post;
  });
  if (post !== undefined) needs.events.emit('post.deleted', { post });
}
