// What a list may tell of content that its caller does not see: a count that includes it tells of it too.
import type { Asker } from '#kernel/schema.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import { attachment, type ContentType } from '#site/content/types.ts';
import type { Unseen } from '#site/content/unseen.ts';

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
    ...(isAttached && { notAttached: { author: asker.id, records: unseen.records(asker) } }),
  };
}
