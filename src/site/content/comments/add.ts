// Saying something about a record. Decided while nobody else of the same name, address or account can say anything: what is said
// twice at once is kept once.

import { sql } from 'kysely';
import { second } from '#lib/spans.ts';
import { type Moment, momentAt, utcTime } from '#lib/wall-time.ts';
import type { During } from '#store/writing.ts';
import { contentErrors } from '../errors.ts';
import { saidDate } from '../posts/dates.ts';
import type { Post } from '../posts/post.ts';
import { demandTrash } from '../statuses.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import { allStatuses, type Comment, type CommentSaid, namedStatus, type Speaking, stateAfter } from './comment.ts';
import { demandParent, demandSameKind } from './faults.ts';
import { indexNewComments } from './found-by.ts';
import { type Discussion, verdictOn } from './judging.ts';
import type { CommentsNeeds } from './needs.ts';
import { isBareNote, isNote, keepNoteStatus, noteType } from './notes.ts';
import { columns, countNew, emailKey } from './rows.ts';
import { authorOf, demandNamed, keptContent, keptLines } from './said.ts';

// What somebody says twice, or too quickly.

type Said = Pick<
  CommentsTable,
  'post_id' | 'parent' | 'user_id' | 'author_name' | 'email_key' | 'author_ip' | 'content'
>;

export async function refuseSame(tx: Writing, row: Said): Promise<void> {
  const same = await tx
    .selectFrom('comments')
    .select('id')
    .where('post_id', '=', row.post_id)
    // The index of answers would be asked for all that answer nothing.
    .where(sql`+parent`, '=', row.parent)
    .where('content', '=', row.content)
    .where('status', '<>', 'trash')
    .where((it) =>
      it.or([
        ...(row.user_id > 0 ? [it('user_id', '=', row.user_id)] : []),
        ...(row.author_name === '' ? [] : [it('author_name', '=', row.author_name)]),
        ...(row.email_key === '' ? [] : [it('email_key', '=', row.email_key)]),
        it.and([it('author_name', '=', ''), it('email_key', '=', ''), it('author_ip', '=', row.author_ip)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (same !== undefined) throw contentErrors.commentDuplicate();
}

const pause = 15 * second;

/** What is dated later than now was dated by those who look after comments, and holds nobody up. */
export async function refuseFlood(tx: Writing, row: Said, now: Date): Promise<void> {
  const lately = tx
    .selectFrom('comments')
    .select('id')
    .where('date_gmt', '>', utcTime(new Date(now.getTime() - pause)))
    .where('date_gmt', '<=', utcTime(now))
    .limit(1);
  const asked = [
    // Many people with an account may share one address: a school, an office.
    ...(row.user_id === 0 ? [lately.where('author_ip', '=', row.author_ip)] : []),
    ...(row.email_key === '' ? [] : [lately.where('email_key', '=', row.email_key)]),
    ...(row.user_id === 0 ? [] : [lately.where('user_id', '=', row.user_id).where('status', 'in', allStatuses)]),
  ];
  for (const question of asked)
    if ((await question.executeTakeFirst()) !== undefined) throw contentErrors.commentFlood();
}

/** One before it has a number. */
export type CommentRow = Omit<CommentsTable, 'id'>;

interface Making {
  readonly row: CommentRow;
  readonly said: CommentSaid;
  readonly discussion: Discussion;
  readonly speaking: Speaking;
  readonly now: Date;
}

const ordinary = 'comment';

export async function prepared(
  needs: CommentsNeeds,
  discussion: Discussion,
  said: CommentSaid & { readonly post: number },
  speaking: Speaking,
): Promise<Making> {
  const { type = ordinary } = said;
  if (type !== ordinary && type !== noteType) throw contentErrors.invalidCommentType();
  const now = needs.clock();
  const content = isBareNote(said) ? '' : keptContent(said.content ?? '', speaking.unfiltered);
  const author = await authorOf(needs.store.db, said, speaking);
  if (discussion.require_name_email) demandNamed(author);
  const { author_ip, author_user_agent } = keptLines({ author_user_agent: speaking.agent, ...said });
  const moment = await momentOf(needs, said, speaking, now);
  const row = {
    ...author,
    post_id: said.post,
    parent: said.parent ?? 0,
    email_key: emailKey(author.author_email),
    author_ip: author_ip || speaking.address,
    author_user_agent: author_user_agent ?? '',
    date: moment.wall,
    date_gmt: moment.utc,
    type,
    status: 'hold',
    status_before: null,
    trashed_at: null,
    content,
  };
  return { row, said, discussion, speaking, now };
}

/** Others speak now: by their dates it is known how quickly. */
async function momentOf(needs: CommentsNeeds, said: CommentSaid, { trusted }: Speaking, now: Date): Promise<Moment> {
  const zone = await needs.zone();
  return (trusted && saidDate(said, zone)) || momentAt(zone, now);
}

/** In one order, so that two who share some of it never wait in a ring. */
export async function holdSpeaker({ lock }: During, { row, speaking }: Making): Promise<void> {
  const names = [
    `comments from ${speaking.address}`,
    `comments of ${row.email_key}`,
    `comments by ${row.user_id} ${row.author_name}`,
  ];
  for (const name of names.sort()) await lock(name);
}

export async function insertComment(
  tx: Writing,
  making: Making,
  post: Post,
  { trashDays }: Pick<CommentsNeeds, 'trashDays'>,
): Promise<Comment> {
  const { row, speaking } = making;
  await demandSameKind(tx, row.parent, row);
  await demandParent(tx, row.parent, post.id);
  if (!isNote(row)) {
    await refuseSame(tx, row);
    if (!speaking.trusted) await refuseFlood(tx, row, making.now);
  }
  const state = await stateOf(tx, making, post, trashDays);
  const comment = await keepNewComment(tx, { ...row, ...state });
  if (isNote(row)) await keepNoteStatus(tx, comment.id, making.said);
  return comment;
}

/** Keeps a sound row, with everything that knows of it. */
export async function keepNewComment(tx: Writing, row: CommentRow): Promise<Comment> {
  const [comment] = await keepNewComments(tx, [{ row }]);
  return comment!;
}

interface Answering {
  readonly row: CommentRow;
  /** The place of the one before it that it answers. */
  readonly answers?: number | undefined;
}

/** The same of many, one after the other. */
export async function keepNewComments(tx: Writing, all: readonly Answering[]): Promise<Comment[]> {
  const kept: Comment[] = [];
  for (const { row, answers } of all) {
    const parent = answers === undefined ? row.parent : kept[answers]!.id;
    const insert = tx.insertInto('comments').values({ ...row, parent });
    kept.push(await insert.returning(columns).executeTakeFirstOrThrow());
  }
  await indexNewComments(tx, kept);
  await countNew(tx, kept);
  return kept;
}

async function stateOf(tx: Writing, { row, said, discussion, speaking, now }: Making, post: Post, trashDays: number) {
  const isOwn = speaking.speaker !== 0 && speaking.speaker === post.author;
  const isTrusted = speaking.trusted || isNote(row);
  const wanted = isTrusted ? namedStatus(said.status) : undefined;
  if (wanted === 'trash') demandTrash(trashDays);
  const status =
    wanted ??
    (isTrusted || isOwn ? 'approved' : await verdictOn(tx, row, discussion, trashDays > 0 ? 'trash' : 'spam'));
  const approved = { ...row, id: 0, status: 'approved' };
  return stateAfter(approved, status, now) ?? { status: 'approved', status_before: null, trashed_at: null };
}
