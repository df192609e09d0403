// Changing a comment: its words, whose they are, where it stands, and whether it is shown.
import { saidDate } from '../posts/dates.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import { demandTrash } from '../trash.ts';
import type { Comment, CommentSaid, Recommenting } from './comment.ts';
import { recount } from './counted.ts';
import { indexComment } from './found-by.ts';
import type { CommentsNeeds } from './needs.ts';
import { isBareNote, isNote, keepNoteStatus } from './notes.ts';
import { demandParent, demandSameKind, raiseAnswers } from './places.ts';
import { columns, emailKey } from './rows.ts';
import { keptContent, keptLines } from './said.ts';
import { type Author, accountOf } from './speakers.ts';
import { stateAfter } from './statuses.ts';

type Changed = Partial<Omit<CommentsTable, 'id'>>;

/** What can be said of it before the write begins. */
export async function preparedChange(
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

export async function changeComment(
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
