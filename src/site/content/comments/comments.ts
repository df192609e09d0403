// Comments, put together. Each write has the record to itself that is spoken about: whether people may, and what answers what,
// is decided by looking at it.
import type { Problem } from '#kernel/problem.ts';
import type { During } from '#store/writing.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { postLock } from '../posts/found.ts';
import type { Post } from '../posts/post.ts';
import { findPost } from '../posts/rows.ts';
import type { Writing } from '../tables.ts';
import { demandTrash } from '../trash.ts';
import { holdSpeaker, insertComment, prepared } from './add.ts';
import { changeComment, preparedChange } from './change.ts';
import type { Comment, Comments } from './comment.ts';
import { discussionGroup } from './discussion.ts';
import { emptyCommentsTrash } from './emptying.ts';
import { eraseComment } from './erase.ts';
import { inTheTrash, inTrash, noSuchPost, notesRefusal, onDraft, there, whenClosed } from './faults.ts';
import type { Discussion } from './judging.ts';
import { answeredAmong, listComments } from './list.ts';
import { holdRecords, insertMany } from './many.ts';
import type { CommentsNeeds } from './needs.ts';
import { isNote, noteStatusesOf } from './notes.ts';
import { findComment } from './rows.ts';

export function createComments(needs: CommentsNeeds & { readonly jobs: Pick<Jobs, 'kind' | 'schedule'> }): Comments {
  emptyCommentsTrash(needs, needs.jobs);
  const { store, settings, kinds, clock } = needs;
  const discussion = async (): Promise<Discussion> => settings.read(discussionGroup);

  const answered = store.gathered(async (ids) => {
    const among = await answeredAmong(store, ids);
    return new Map([...among].map((id) => [id, true]));
  });

  const refusalBy = (post: Post, { close_comments_after_days }: Discussion): Problem | undefined =>
    onDraft(post) ?? inTheTrash(post) ?? whenClosed(post, kinds.type(post.type), close_comments_after_days, clock());

  return {
    find: (id) => findComment(store.db, id),
    get: async (id) => there(await findComment(store.db, id)),
    list: (wanted) => listComments(store, wanted),
    answered: async (ids) => new Set((await answered(ids)).keys()),
    noteStatuses: (some) =>
      noteStatusesOf(
        store.db,
        some.filter(isNote).map(({ id }) => id),
      ),
    isOpenToAll: async () => (await discussion()).anonymous_rest_comments,
    refusalOn: async (post) => refusalBy(post, await discussion()),
    async add(said, speaking) {
      const now = await discussion();
      const making = await prepared(needs, now, said, speaking);
      const { comment, post } = await store.write(async (tx, during) => {
        await during.share(userLock(making.row.user_id));
        await during.lock(postLock(said.post));
        await holdSpeaker(during, making);
        const post = await recordOf(tx, said.post);
        const refusal = isNote(making.row) ? notesRefusal(post, kinds.type(post.type)) : refusalBy(post, now);
        if (refusal !== undefined) throw refusal;
        await speaking.again?.(tx, post);
        return { post, comment: await insertComment(tx, making, post, needs) };
      });
      needs.events.emit('comment.added', { comment, post });
      return comment;
    },
    async addMany(all, { again }) {
      const { records, comments } = await store.write(async (tx, during) => {
        const records = await holdRecords(tx, during, all);
        await again?.(tx, undefined);
        return { records, comments: await insertMany(tx, records, all, clock()) };
      });
      for (const comment of comments)
        if (comment !== undefined)
          needs.events.emit('comment.added', { comment, post: records.get(comment.post_id)!, isQuiet: true });
      return comments;
    },
    ...rewriting(needs),
  };
}

const recordOf = async (tx: Writing, id: number): Promise<Post> => {
  const post = await findPost(tx, id);
  if (post === undefined) throw noSuchPost();
  return post;
};

function rewriting(needs: CommentsNeeds): Pick<Comments, 'change' | 'trash' | 'erase'> {
  const { store, events, trashDays } = needs;

  /** As it is once nobody else can change it, nor the records it is and will be about. */
  const held = async (tx: Writing, { lock }: During, comment: Comment, post = comment.post_id): Promise<Comment> => {
    const posts = [...new Set([comment.post_id, post])].sort((one, other) => one - other);
    for (const id of posts) await lock(postLock(id));
    const found = there(await findComment(tx, comment.id));
    // Somebody moved it meanwhile: what is decided here is decided about another record.
    if (found.post_id !== comment.post_id) throw there(undefined);
    return found;
  };

  const change: Comments['change'] = async (comment, said, recommenting) => {
    const changed = await preparedChange(needs, comment, said, recommenting);
    const { before, after } = await store.write(async (tx, during) => {
      const before = await held(tx, during, comment, said.post);
      await recommenting.again?.(tx, before);
      if (said.post !== undefined && said.post !== before.post_id) await recordOf(tx, said.post);
      return { before, after: await changeComment(tx, before, said, changed, needs) };
    });
    events.emit('comment.changed', { comment: after, before });
    return after;
  };

  return {
    change,
    async trash(comment, { again, ...doing }) {
      demandTrash(trashDays);
      const judged: typeof again = async (tx, target) => {
        await again?.(tx, target);
        if (target?.status === 'trash') throw inTrash();
      };
      return change(comment, { status: 'trash' }, { ...doing, again: judged, unfiltered: false, trusted: false });
    },
    async erase(comment, { again }) {
      const gone = await store.write(async (tx, during) => {
        const found = await held(tx, during, comment);
        await again?.(tx, found);
        await eraseComment(tx, found);
        return found;
      });
      events.emit('comment.deleted', { comment: gone });
      return gone;
    },
  };
}
