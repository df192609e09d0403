// Why somebody may not write a record so, in the order in which it is said; and who knows its password.
import { denied, type Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { isPostPassword } from '#site/content/post-passwords/post-passwords.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { ContentType } from '#site/content/types.ts';

/** What of a write is not for everybody who may write. */
export interface Wish {
  readonly author?: number;
  readonly sticky?: boolean;
  readonly status?: string;
}

type Refusal = Problem | undefined;

const cannotEdit = () => denied('rest_cannot_edit', 'You are not allowed to edit this.');
const cannotCreate = () => denied('rest_cannot_create', 'You are not allowed to create this.');
export const cannotDelete = () => denied('rest_cannot_delete', 'You are not allowed to delete this.');
const cannotPublish = () => denied('rest_cannot_publish', 'You are not allowed to publish this.');
const cannotEditOthers = () =>
  denied('rest_cannot_edit_others', 'You are not allowed to write in the name of somebody else.');
const cannotStick = () => denied('rest_cannot_assign_sticky', 'You are not allowed to keep posts on top.');

/** What is refused before anything else is looked at. Who sends a record back as it was asks for nothing. */
export function refusalOf(asker: Asker, rights: ContentRights, type: ContentType, wish: Wish, post?: Post): Refusal {
  if (post !== undefined && !rights.mayEdit(asker, post)) return cannotEdit();
  const { author = 0, sticky = false } = wish;
  // Whoever lists is told whether they may write as well: there, authors are a filter.
  const isOthers = typeof author === 'number' && author !== 0 && author !== (post?.author ?? asker.id);
  if (isOthers && !rights.mayEditOthers(asker, type)) return cannotEditOthers();
  const sticks = sticky && post?.sticky !== 1;
  if (sticks && !rights.mayEditOthers(asker, type) && !rights.mayPublish(asker, type)) return cannotStick();
  return post !== undefined || rights.mayCreate(asker, type) ? undefined : cannotCreate();
}

export const unfilteredHtml = 'unfiltered_html';

/** Whose text is kept as it is may lose that right before it is: then nothing of it is kept. */
export const strippedRefusal = (asker: Asker, unfiltered: boolean): Refusal =>
  unfiltered && !asker.can(unfilteredHtml)
    ? denied('rest_cannot_edit', 'What you may write has changed meanwhile. Please send it again.')
    : undefined;

const published = new Set(['publish', 'future', 'private']);

/** Statuses that only those may give who may publish. */
export function publishRefusal(
  asker: Asker,
  rights: ContentRights,
  type: ContentType,
  { status }: Wish,
  post?: Post,
): Refusal {
  if (status === undefined || status === post?.status || !published.has(status)) return undefined;
  return rights.mayPublish(asker, type) ? undefined : cannotPublish();
}

/** Whether the password of a record is not this one. Its editors read it anyway, so their mistakes are not counted. */
export async function isClosedTo(
  asker: Asker,
  post: Post,
  password: string,
  { rights, postPasswords }: Pick<Content, 'rights' | 'postPasswords'>,
): Promise<boolean> {
  if (post.password === '') return false;
  if (rights.mayEdit(asker, post)) return !isPostPassword(password, post);
  return !(await postPasswords.opens(post, password));
}
