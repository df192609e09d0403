// Why an account may not write a record, in the order of the checks; who knows its password; and how a search is narrowed to
// what the account may see.
import type { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import { isPostPassword } from '#site/content/post-passwords/post-passwords.ts';
import type { Post, Wanted } from '#site/content/posts/post.ts';
import type { ContentRights, Unseen } from '#site/content/rights.ts';
import { attachment, type ContentType } from '#site/content/types.ts';
import { coreErrors } from '../errors.ts';

/** What of a write is not for everybody who may write. */
export interface Wish {
  readonly author?: number;
  readonly sticky?: boolean;
  readonly status?: string;
}

type Refusal = Problem | undefined;

const nounOf = (type: ContentType): string => (type === attachment ? 'media item' : type.label.toLowerCase());

export const cannotEdit = (type: ContentType, { id }: Pick<Post, 'id'>): Problem =>
  contentErrors.cannotEdit(`edit ${nounOf(type)} ${id}`);

export const cannotDelete = (type: ContentType, { id }: Pick<Post, 'id'>): Problem =>
  contentErrors.cannotDelete(`delete ${nounOf(type)} ${id}`);

/** What is refused before anything else is looked at. Who sends a record back as it was asks for nothing. */
export function refusalOf(asker: Asker, rights: ContentRights, type: ContentType, wish: Wish, post?: Post): Refusal {
  if (post !== undefined && !rights.mayEdit(asker, post)) return cannotEdit(type, post);
  const { author = 0, sticky = false } = wish;
  // Whoever lists is told whether they may write as well: there, authors are a filter.
  const isOthers = typeof author === 'number' && author !== 0 && author !== (post?.author ?? asker.id);
  if (isOthers && !rights.mayEditOthers(asker, type)) return coreErrors.cannotEditOthers();
  const sticks = sticky && post?.sticky !== 1;
  if (sticks && !rights.mayEditOthers(asker, type) && !rights.mayPublish(asker, type))
    return coreErrors.cannotAssignSticky();
  if (post !== undefined || rights.mayCreate(asker, type)) return undefined;
  return contentErrors.cannotCreate(
    `create ${type.labels.toLowerCase()}, which needs the capability \`${type.capabilities.create}\``,
  );
}

export const unfilteredHtml = 'unfiltered_html';

/** Whose text is kept as it is may lose that right before it is: then nothing of it is kept. */
export const strippedRefusal = (asker: Asker, unfiltered: boolean): Refusal =>
  unfiltered && !asker.can(unfilteredHtml)
    ? contentErrors.cannotEdit().saying('Your rights changed during this request. Send it again.')
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
  return rights.mayPublish(asker, type) ? undefined : coreErrors.cannotPublish();
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

type Looking = Pick<Wanted, 'search' | 'authors' | 'statuses'>;
type Narrowing = Pick<Wanted, 'searchOpen' | 'ownOnly' | 'notAttached'>;

interface Judges {
  readonly rights: Pick<ContentRights, 'mayEditOthers'>;
  readonly unseen: Unseen;
}

/** Accounts list what they wrote themselves in any status. Texts behind a password are searched for their editors alone. */
export function narrowedFor(
  asker: Asker,
  { search, authors = [], statuses }: Looking,
  types: readonly ContentType[],
  { rights, unseen }: Judges,
): Narrowing {
  const isOwn = asker.id !== 0 && authors.length > 0 && authors.every((author) => author === asker.id);
  if (isOwn) return {};
  const isReadable = (status: string): boolean => types.every((type) => unseen.isReadable(asker, type, status));
  const own = statuses.filter((status) => status !== 'inherit' && !isReadable(status));
  const isOpen = search !== undefined && !types.every((type) => rights.mayEditOthers(asker, type));
  const isAttached = types.includes(attachment) && statuses.includes('inherit');
  return {
    ...(isOpen && { searchOpen: true }),
    ...(own.length > 0 && { ownOnly: { author: asker.id, statuses: own } }),
    ...(isAttached && { notAttached: unseen.parents(asker) }),
  };
}
