// What must be true of a comment, and how it is said when it is not.
import { Problem } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { Post } from '../posts/post.ts';
import type { ContentType } from '../types.ts';
import type { Comment } from './comment.ts';

const noSuchComment = (): Problem => new Problem(404, 'rest_comment_invalid_id', 'There is no such comment.');

export const noSuchPost = (): Problem =>
  new Problem(403, 'rest_comment_invalid_post_id', 'There is nothing with this number that could be commented on.');

export const there = (comment: Comment | undefined): Comment => {
  if (comment === undefined) throw noSuchComment();
  return comment;
};

export const wrongParent = (): Problem => {
  const [code, message] = ['rest_invalid_param', 'parent must be another comment on the same record, or 0.'];
  return new Problem(400, code, message, {
    params: { parent: message },
    details: { parent: { code, message, data: null } },
  });
};

export const noContent = (): Problem =>
  new Problem(400, 'rest_comment_content_invalid', 'Please write something: the comment is empty.');

export const noSuchAuthor = (): Problem =>
  new Problem(400, 'rest_comment_author_invalid', 'There is no user with this number.');

export const noAuthorData = (): Problem =>
  new Problem(400, 'rest_comment_author_data_required', 'Please give a name and a valid email address.');

export const wrongType = (): Problem =>
  new Problem(400, 'rest_invalid_comment_type', 'Comments of this type cannot be made here.');

export const duplicate = (): Problem =>
  new Problem(409, 'comment_duplicate', 'It looks as if you have said that already.');

export const flood = (): Problem =>
  new Problem(400, 'comment_flood', 'You are commenting quickly. Please wait a few seconds.');

export const inTrash = (): Problem => new Problem(410, 'rest_already_trashed', 'The comment is in the trash already.');

/** What each may have at most; the text in bytes. */
const longest = { author_name: 245, author_email: 100, author_url: 200 } as const;
const largest = 65_525;

type Sized = Partial<Pick<Comment, keyof typeof longest | 'content'>>;

export function refuseTooLong(said: Sized): void {
  for (const [name, most] of Object.entries(longest)) {
    if ([...(said[name as keyof typeof longest] ?? '').slice(0, 2 * most + 1)].length <= most) continue;
    const code = `comment_${name.replace('_name', '')}_column_length`;
    throw new Problem(400, code, `${name} must have at most ${most} characters.`);
  }
  if (Buffer.byteLength(said.content ?? '') > largest)
    throw new Problem(400, 'comment_content_column_length', `content must have at most ${largest} bytes.`);
}

const closed = (code: string, message: string): Problem => new Problem(403, code, message);

export const onDraft = ({ status }: Post): Problem | undefined =>
  status === 'draft' || status === 'auto-draft'
    ? closed('rest_comment_draft_post', 'What is a draft cannot be commented on.')
    : undefined;

export const inTheTrash = ({ status }: Post): Problem | undefined =>
  status === 'trash' ? closed('rest_comment_trash_post', 'What is in the trash cannot be commented on.') : undefined;

/** Nobody closes pages: they are not of a day. */
const isOver = ({ date_gmt }: Post, type: ContentType, days: number, now: Date): boolean =>
  days > 0 && !type.hierarchical && date_gmt !== null && now.getTime() - Date.parse(`${date_gmt}Z`) > days * day;

/** Why nobody may leave a note on this record now. Drafts and records that are closed to comments take notes. */
export const notesRefusal = (post: Post, type: ContentType | undefined): Problem | undefined =>
  type?.notes === true
    ? inTheTrash(post)
    : closed('rest_comment_not_supported_post_type', 'Records of this type take no notes.');

export function whenClosed(post: Post, type: ContentType | undefined, days: number, now: Date): Problem | undefined {
  if (type === undefined || !type.supports.includes('comments'))
    return closed('rest_comment_not_supported_post_type', 'Records of this type cannot be commented on.');
  if (post.comment_status === 'open' && !isOver(post, type, days, now)) return undefined;
  return closed('rest_comment_closed', 'Comments are closed here.');
}
