// How many records a list holds: as they were counted when they came and went, where that tells.
import { allPossible, totalAfter } from '../../platform/listing.ts';
import { totalTopics } from '../tables.ts';
import { filtersOf, isAttachedTo } from './list-filters.ts';
import type { Kind, Listing } from './list-shape.ts';
import { type Asked, matching } from './list-source.ts';
import { sumOf, termTotal } from './list-terms.ts';
import type { Wanted } from './post.ts';

export const totalOfKinds = ({ db }: Listing, kinds: readonly Kind[]): Promise<number> =>
  sumOf(
    db,
    totalTopics.posts,
    kinds.map(({ type, status }) => `${type}/${status}`),
  );

const totalOfAuthors = ({ db }: Listing, kinds: readonly Kind[], authors: readonly number[]): Promise<number> =>
  sumOf(
    db,
    totalTopics.authors,
    allPossible(authors).flatMap((author) => kinds.map(({ type, status }) => `${author}/${type}/${status}`)),
  );

export async function totalFrom(listing: Listing, wanted: Wanted, asked: Asked, shown: number): Promise<number> {
  return totalAfter(shown, wanted) ?? (await kept(listing, wanted, asked)) ?? count(listing, asked);
}

/** Where one thing alone narrows the list. */
async function kept(listing: Listing, wanted: Wanted, asked: Asked): Promise<number | undefined> {
  const { kinds, conditions, term, search } = asked;
  if (search !== undefined) return term === undefined && conditions.length === 0 ? search.total : undefined;
  if (term !== undefined) return conditions.length === 0 ? termTotal(listing, term, kinds) : undefined;
  if (conditions.length === 0) return totalOfKinds(listing, kinds);
  const { notAttached, ...open } = wanted;
  if (notAttached !== undefined && filtersOf(open).length === 0 && conditions.length === 1) {
    const hidden = { ...asked, conditions: [isAttachedTo(notAttached)], isGiven: true };
    return (await totalOfKinds(listing, kinds)) - (await count(listing, hidden));
  }
  const { authors = [], notAuthors = [], ...rest } = wanted;
  if (conditions.length > 1 || filtersOf(rest).length > 0 || authors.length + notAuthors.length === 0) return undefined;
  if (notAuthors.length === 0) return totalOfAuthors(listing, kinds, authors);
  return (await totalOfKinds(listing, kinds)) - (await totalOfAuthors(listing, kinds, notAuthors));
}

export async function count(listing: Listing, asked: Asked): Promise<number> {
  // All are gone through.
  const { total } = await matching(listing, { ...asked, until: asked.all }, asked.kinds)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
