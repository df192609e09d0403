// What a search may tell of content that a password closes: who finds a word in it knows of the word.
import type { Asker } from '#kernel/schema.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { ContentType } from '#site/content/types.ts';

type Looking = Pick<Wanted, 'search' | 'authors'>;

/** It is found by its editors alone, and by whoever looks among what is theirs. */
export function searchedBy(
  asker: Asker,
  { search, authors = [] }: Looking,
  types: readonly ContentType[],
  rights: Pick<ContentRights, 'mayEditOthers'>,
): Pick<Wanted, 'searchOpen'> {
  if (search === undefined || types.every((type) => rights.mayEditOthers(asker, type))) return {};
  const isOwn = asker.id !== 0 && authors.length > 0 && authors.every((author) => author === asker.id);
  return isOwn ? {} : { searchOpen: true };
}
