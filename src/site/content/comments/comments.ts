// Comments, put together. Each write has the record to itself that is spoken about: whether people may, and what answers what,
// is decided by looking at it.
import type { Problem } from '#kernel/problem.ts';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { contentErrors } from '../errors.ts';
import { metaRows } from '../meta.ts';
import { saidDate } from '../posts/dates.ts';
import type { Post } from '../posts/post.ts';
import { findPost, postLock, somePosts } from '../posts/rows.ts';
import { demandTrash } from '../statuses.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import { type CommentRow, holdSpeaker, insertComment, keepNewComments, prepared } from './add.ts';
import {
  type Comment,
  type CommentSaid,
  type Comments,
  type OneOfMany,
  type Recommenting,
  stateAfter,
} from './comment.ts';
import { discussionGroup } from './discussion.ts';
import { emptyCommentsTrash, eraseComment } from './emptying.ts';
import {
  demandParent,
  demandSameKind,
  inTheTrash,
  notesRefusal,
  onDraft,
  raiseAnswers,
  there,
  whenClosed,
} from './faults.ts';
import { indexComment } from './found-by.ts';
import type { Discussion } from './judging.ts';
import { answeredAmong, listComments } from './list.ts';
import type { CommentsNeeds } from './needs.ts';
import { isBareNote, isNote, keepNoteStatus, noteStatusesOf } from './notes.ts';
import { columns, emailKey, findComment, recount } from './rows.ts';
import { type Author, accountOf, keptContent, keptLines } from './said.ts';

// Changing a comment: its words, whose they are, where it stands, and whether it is shown.

type Changed = Partial<Omit<CommentsTable, 'id'>>;

/** What can be said of it before the write begins. */
async function preparedChange(
  needs: CommentsNeeds,
  before: Comment,
  said: CommentSaid,
  { unfiltered }: Pick<Recommenting, 'unfiltered'>,
): Promise<Changed> {
  const moment = saidDate(said, await needs.zone(), before);
  const isOthers = said.author !== undefined && said.author !== before.user_id;
  const author: Partial<Author> = isOthers ? await accountOf(needs.store.db, said.author) : {};
  const changed = { ...author, ...keptLines(said) };
  return {
    ...changed,
    ...(changed.author_email !== undefined && { email_key: emailKey(changed.author_email) }),
    ...(said.content !== undefined && { content: contentOf(before, said, unfiltered) }),
    ...(moment && { date: moment.wall, date_gmt: moment.utc }),
  };
}

const contentOf = ({ type }: Comment, { noteStatus, content = '' }: CommentSaid, unfiltered: boolean): string =>
  isBareNote({ type, noteStatus, content }) ? '' : keptContent(content, unfiltered);

async function changeComment(
  tx: Writing,
  before: Comment,
  said: CommentSaid,
  changed: Changed,
  { trashDays, clock }: CommentsNeeds,
): Promise<Comment> {
  const place = await placeFor(tx, before, said);
  const state = stateAfter(before, said.status, clock());
  if (state?.status === 'trash') demandTrash(trashDays);
  if (isNote(before)) await keepNoteStatus(tx, before.id, said);
  const after = { ...changed, ...place, ...state };
  if (Object.keys(after).length === 0) return before;
  const comment = await tx
    .updateTable('comments')
    .set(after)
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  await indexComment(tx, comment);
  await recount(tx, before, comment);
  return comment;
}

/** On another record it answers nothing there, unless that is said too, and its answers stay behind. */
async function placeFor(tx: Writing, before: Comment, said: CommentSaid): Promise<Pick<Changed, 'post_id' | 'parent'>> {
  const { id } = before;
  const post_id = said.post ?? before.post_id;
  const isMoved = post_id !== before.post_id;
  const parent = said.parent ?? (isMoved ? 0 : before.parent);
  if (!isMoved && parent === before.parent) return {};
  if (isMoved) await raiseAnswers(tx, before);
  await demandSameKind(tx, parent, before);
  await demandParent(tx, parent, post_id, id);
  return { post_id, parent };
}

// Making many comments in one write. They come from the program: they are not judged, and nobody is told of them by letter.

type Records = ReadonlyMap<number, Post>;

/** Has the records to itself that they are about; those that are still there, by number. */
async function holdRecords(tx: Writing, { lock }: During, all: readonly OneOfMany[]): Promise<Records> {
  const ids = [...new Set(all.map(({ post }) => post))].sort((one, other) => one - other);
  for (const id of ids) await lock(postLock(id));
  return somePosts(tx, ids);
}

/** In their order; nothing for one about a record that is gone. */
async function insertMany(
  tx: Writing,
  records: Records,
  all: readonly OneOfMany[],
  now: Date,
): Promise<(Comment | undefined)[]> {
  const kept = all.filter(({ post }) => records.has(post));
  const rows = kept.map((one) => ({ row: rowOf(one, records.get(one.post)!, now) }));
  const comments = rows.length === 0 ? [] : await keepNewComments(tx, rows);
  const meta = comments.flatMap(({ id }, at) => metaRows(kept[at]!.meta).map((row) => ({ comment_id: id, ...row })));
  if (meta.length > 0) await tx.insertInto('comment_meta').values(meta).execute();
  const made = new Map(comments.map((comment, at) => [kept[at], comment]));
  return all.map((one) => made.get(one));
}

const rowOf = ({ post, moment, status, meta: _, ...said }: OneOfMany, record: Post, now: Date): CommentRow => ({
  ...said,
  ...stateOf(status, record, now),
  post_id: post,
  parent: 0,
  user_id: 0,
  email_key: emailKey(said.author_email),
  date: moment.wall,
  date_gmt: moment.utc,
  type: 'comment',
});

/** What is put aside was shown before; about a record in the trash, all but what is there already waits there with it. */
function stateOf(status: OneOfMany['status'], record: Post, now: Date) {
  const status_before = status === 'approved' || status === 'hold' ? null : 'approved';
  if (status === 'trash') return { status, status_before, trashed_at: instant(now) };
  const state = { status, status_before, trashed_at: null };
  return record.status === 'trash' ? { ...state, status: 'post-trashed', status_before: status } : state;
}

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
    get: async (id) => there(await findComment(store.db, id), id),
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
  if (post === undefined) throw contentErrors.commentInvalidPostId();
  return post;
};

function rewriting(needs: CommentsNeeds): Pick<Comments, 'change' | 'trash' | 'erase'> {
  const { store, events, trashDays } = needs;

  /** As it is once nobody else can change it, nor the records it is and will be about. */
  const held = async (tx: Writing, { lock }: During, comment: Comment, post = comment.post_id): Promise<Comment> => {
    const posts = [...new Set([comment.post_id, post])].sort((one, other) => one - other);
    for (const id of posts) await lock(postLock(id));
    const found = there(await findComment(tx, comment.id), comment.id);
    // Somebody moved it meanwhile: what is decided here is decided about another record.
    if (found.post_id !== comment.post_id) throw there(undefined, comment.id);
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
        if (target?.status === 'trash') throw contentErrors.alreadyTrashed();
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
