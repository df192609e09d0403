// What a search may tell of content that its asker does not see: who finds a word in it knows of the word.
import type { Asker } from '#kernel/schema.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { ContentType } from '#site/content/types.ts';

type Looking = Pick<Wanted, 'search' | 'authors' | 'statuses'>;
type Rights = Pick<ContentRights, 'mayEditOthers'>;

/** What a password closes, and what is not published, is found by its editors, and by whoever looks among what is theirs. */
export function searchedBy(
  asker: Asker,
  { search, authors = [], statuses }: Looking,
  types: readonly ContentType[],
  rights: Rights,
): Pick<Wanted, 'searchOpen' | 'searchOwn'> {
  const isOwn = asker.id !== 0 && authors.length > 0 && authors.every((author) => author === asker.id);
  if (search === undefined || isOwn) return {};
  const own = statuses.filter((status) => !types.every((type) => maySearch(asker, type, status, rights)));
  return {
    ...(!types.every((type) => rights.mayEditOthers(asker, type)) && { searchOpen: true }),
    ...(own.length > 0 && { searchOwn: { author: asker.id, statuses: own } }),
  };
}

function maySearch(asker: Asker, type: ContentType, status: string, rights: Rights): boolean {
  if (status === 'publish') return true;
  return status === 'private' ? asker.can(type.capabilities.read_private) : rights.mayEditOthers(asker, type);
}
