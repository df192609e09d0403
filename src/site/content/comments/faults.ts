// What must be true of a comment, and how it is said when it is not.

import { sql } from 'kysely';
import { invalidParam } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import { contentErrors } from '../errors.ts';
import type { Post } from '../posts/post.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import type { Comment } from './comment.ts';
import { isNote } from './notes.ts';

export const there = (comment: Comment | undefined, id: number): Comment => {
  if (comment === undefined) throw contentErrors.commentInvalidId(id);
  return comment;
};

const wrongParent = (): Problem => {
  const message = 'parent must be another comment on the same record, or 0.';
  return invalidParam('parent', { code: 'rest_invalid_param', message });
};

/** What each may have at most; the text in bytes. */
const longest = {
  author_name: [245, contentErrors.commentAuthorColumnLength],
  author_email: [100, contentErrors.commentAuthorEmailColumnLength],
  author_url: [200, contentErrors.commentAuthorUrlColumnLength],
} as const;
const largest = 65_525;

type Sized = Partial<Pick<Comment, keyof typeof longest | 'content'>>;

export function refuseTooLong(said: Sized): void {
  for (const [name, [most, tooLong]] of Object.entries(longest)) {
    if ([...(said[name as keyof typeof longest] ?? '').slice(0, 2 * most + 1)].length <= most) continue;
    throw tooLong(`${name} must have at most ${most} characters.`);
  }
  if (Buffer.byteLength(said.content ?? '') > largest) throw contentErrors.commentContentColumnLength(largest);
}

export const onDraft = ({ status }: Post): Problem | undefined =>
  status === 'draft' || status === 'auto-draft' ? contentErrors.commentDraftPost() : undefined;

export const inTheTrash = ({ status }: Post): Problem | undefined =>
  status === 'trash' ? contentErrors.commentTrashPost() : undefined;

/** Nobody closes pages: they are not of a day. */
const isOver = ({ date_gmt }: Post, type: ContentType, days: number, now: Date): boolean =>
  days > 0 && !type.hierarchical && date_gmt !== null && now.getTime() - Date.parse(`${date_gmt}Z`) > days * day;

/** Why nobody may leave a note on this record now. Drafts and records that are closed to comments take notes. */
export const notesRefusal = (post: Post, type: ContentType | undefined): Problem | undefined =>
  type?.notes === true ? inTheTrash(post) : contentErrors.commentNotSupportedPostType();

export function whenClosed(post: Post, type: ContentType | undefined, days: number, now: Date): Problem | undefined {
  if (type === undefined || !type.supports.includes('comments'))
    return contentErrors.commentNotSupportedPostType().saying('Records of this type do not accept comments.');
  if (post.comment_status === 'open' && !isOver(post, type, days, now)) return undefined;
  return contentErrors.commentClosed();
}

// What a comment may answer: another one on the same record, which does not answer it.

/** Farther up than this nobody looks: one that others answer is not moved there. */
const mostAbove = 10_000;

/** `id`: the one that shall be placed there, where it is there already. */
export async function demandParent(tx: Writing, parent: number, post: number, id?: number): Promise<void> {
  if (parent === 0) return;
  if (!Number.isSafeInteger(parent) || parent === id) throw wrongParent();
  const own = await tx.selectFrom('comments').select('post_id').where('id', '=', parent).executeTakeFirst();
  if (own?.post_id !== post) throw wrongParent();
  // A new one, and one that nobody answers, is above nobody.
  if (id === undefined || !(await isAnswered(tx, id))) return;
  if (await mayBeBelow(tx, parent, id)) throw wrongParent();
}

/** Notes answer notes, and comments answer comments: nobody else learns which notes there are. */
export async function demandSameKind(tx: Writing, parent: number, child: Pick<CommentsTable, 'type'>): Promise<void> {
  if (parent === 0 || !Number.isSafeInteger(parent)) return;
  const above = await tx.selectFrom('comments').select('type').where('id', '=', parent).executeTakeFirst();
  if (above !== undefined && isNote(above) !== isNote(child)) throw wrongParent();
}

const isAnswered = async (tx: Writing, id: number): Promise<boolean> =>
  (await tx.selectFrom('comments').select('id').where('parent', '=', id).limit(1).executeTakeFirst()) !== undefined;

/** Whether it answers the other, directly or not; or is so far down that nobody can tell. */
async function mayBeBelow(tx: Writing, one: number, other: number): Promise<boolean> {
  // Each step finds one row by its number, however the store plans.
  const above = sql<number>`(select comments.parent from comments where comments.id = line.id)`;
  const found = await tx
    .withRecursive('line(id, depth)', (line) =>
      line.selectNoFrom([sql<number>`cast(${one} as bigint)`.as('id'), sql<number>`0`.as('depth')]).unionAll(
        line
          .selectFrom('line')
          .select((eb) => [above.as('id'), eb('line.depth', '+', 1).as('depth')])
          .where('line.id', '>', 0)
          .where('line.id', '<>', other)
          .where('line.depth', '<', mostAbove),
      ),
    )
    .selectFrom('line')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', other), eb.and([eb('depth', '>=', mostAbove), eb('id', '>', 0)])]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What answers a comment that goes answers what that one answered. */
export async function raiseAnswers(tx: Writing, { id, parent }: { id: number; parent: number }): Promise<void> {
  await tx.updateTable('comments').set({ parent }).where('parent', '=', id).execute();
}
