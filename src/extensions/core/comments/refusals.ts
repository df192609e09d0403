// Who may what with comments, and what each refusal is called: asked before a write and again inside it.
import { isNobody } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Comment } from '#site/content/comments/comment.ts';
import { inTheTrash, notesRefusal, onDraft } from '#site/content/comments/faults.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import { isPostPassword } from '#site/content/post-passwords/post-passwords.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import { coreErrors } from '../errors.ts';
import { isClosedTo } from '../posts/refusals.ts';

/** What of a write is not for everybody who may write. */
export interface Wish {
  readonly author?: number;
  readonly author_ip?: string;
  readonly status?: string;
}

export const moderates = (asker: Asker): boolean => asker.can('moderate_comments');
const cannotEdit = () => contentErrors.cannotEdit('change this comment');
export const cannotDelete = () => contentErrors.cannotDelete('delete this comment');
export const wrongContext = () => contentErrors.forbiddenContext('see comments with `context=edit`');

export const mayEdit = (asker: Asker, about: Post | undefined, rights: ContentRights): boolean =>
  moderates(asker) || (about === undefined ? asker.can('edit_posts') : rights.mayEdit(asker, about));

/** With a password, who knows it or may edit what it guards. */
export async function readsPost(asker: Asker, post: Post, rights: ContentRights, password = ''): Promise<boolean> {
  if (!(await rights.mayRead(asker, post))) return false;
  return post.password === '' || rights.mayEdit(asker, post) || isPostPassword(password, post);
}

/** The same, where a password was sent for the post: wrong ones are counted. */
export async function opensPost(
  asker: Asker,
  post: Post,
  { rights, postPasswords }: Pick<Content, 'rights' | 'postPasswords'>,
  password = '',
): Promise<boolean> {
  if (password === '' || !(await rights.mayRead(asker, post))) return readsPost(asker, post, rights);
  return !(await isClosedTo(asker, post, password, { rights, postPasswords })) || rights.mayEdit(asker, post);
}

function wishRefusal(asker: Asker, { author, status }: Wish): Problem | undefined {
  if (moderates(asker)) return undefined;
  if (author !== undefined && author !== asker.id) return coreErrors.commentInvalidAuthor();
  return status === undefined ? undefined : coreErrors.commentInvalidStatus();
}

/** Who looks after the record says what is shown of it, and not in whose name. Who sends it back as it was asks for nothing. */
function rewishRefusal(asker: Asker, { author, author_ip }: Wish, comment: Comment): Problem | undefined {
  if (moderates(asker)) return undefined;
  if (author !== undefined && author !== comment.user_id) return coreErrors.commentInvalidAuthor();
  return author_ip === undefined || author_ip === comment.author_ip ? undefined : coreErrors.commentInvalidAuthorIp();
}

/** Why somebody may not speak about this. */
export async function speakingRefusal(
  asker: Asker,
  { comments, rights }: Pick<Content, 'comments' | 'rights'>,
  wish: Wish,
  post: Post | undefined,
): Promise<Problem | undefined> {
  if (isNobody(asker) && !(await comments.isOpenToAll())) return coreErrors.commentLoginRequired();
  const refusal = wishRefusal(asker, wish);
  if (refusal !== undefined) return refusal;
  if (post === undefined) return contentErrors.commentInvalidPostId();
  const unfinished = onDraft(post) ?? inTheTrash(post);
  if (unfinished !== undefined) return unfinished;
  return (await readsPost(asker, post, rights)) ? comments.refusalOn(post) : coreErrors.cannotReadPost();
}

/** Why somebody may not leave a note on this. */
export function noteRefusal(
  asker: Asker,
  { rights, kinds }: Pick<Content, 'rights' | 'kinds'>,
  { author }: Wish,
  post: Post | undefined,
): Problem | undefined {
  if (isNobody(asker)) return coreErrors.commentLoginRequired();
  if (author !== undefined && author !== asker.id && !moderates(asker)) return coreErrors.commentInvalidAuthor();
  if (post === undefined) return contentErrors.commentInvalidPostId();
  return rights.mayEdit(asker, post) ? notesRefusal(post, kinds.type(post.type)) : coreErrors.cannotCreateNote();
}

/** Why somebody may not change this comment, or put it where they say. `post`: what it shall be about. */
export function changeRefusal(
  asker: Asker,
  { rights }: Pick<Content, 'rights'>,
  wish: Wish,
  comment: Comment,
  about: { readonly now: Post | undefined; readonly then: Post | undefined },
): Problem | undefined {
  if (!mayEdit(asker, about.now, rights)) return cannotEdit();
  const refusal = rewishRefusal(asker, wish, comment);
  if (refusal !== undefined) return refusal;
  if (about.then === undefined) return contentErrors.commentInvalidPostId();
  return mayEdit(asker, about.then, rights) ? undefined : cannotEdit();
}
