// The order of a list, and a page of it: numbers alone, which an index gives without a look at the records.
import { sql } from 'kysely';
import type { Kind, Listing } from './list-shape.ts';
import { type Asked, isFromTerm, matching } from './list-source.ts';
import { count } from './list-totals.ts';
import type { Wanted } from './post.ts';
import { byRank, counted, type Search } from './search.ts';

interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly key: string;
}

const keys: Partial<Record<Wanted['orderBy'], string>> = {
  author: 'author',
  id: 'id',
  modified: 'modified',
  parent: 'parent',
  slug: 'slug',
  title: 'title_key',
  menu_order: 'menu_order',
};

export const pageOf = ({ limit, offset, order, orderBy }: Wanted): Page => ({
  limit,
  offset,
  order,
  key: keys[orderBy] ?? 'date',
});

/** Those alike in what they are sorted by come in the order of their numbers. */
export async function numbersOf(listing: Listing, asked: Asked, page: Page): Promise<number[]> {
  const { order, limit, offset } = page;
  const [first, ...more] = asked.kinds;
  if (more.length === 0) {
    const rows = await sorted(listing, asked, first!, page).limit(limit).offset(offset).execute();
    return rows.map(({ id }) => id);
  }
  const beginnings = asked.kinds.map((kind) =>
    listing.db
      .selectFrom(
        sorted(listing, asked, kind, page)
          .limit(limit + offset)
          .as('beginning'),
      )
      .select(['id', 'key']),
  );
  const [one, ...others] = beginnings;
  const all = others.reduce((union, other) => union.unionAll(other), one!);
  const rows = await listing.db
    .selectFrom(all.as('together'))
    .select('id')
    .orderBy('key', order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id }) => id);
}

function sorted(listing: Listing, asked: Asked, kind: Kind, { key, order }: Page) {
  const [by, id] = isFromTerm(asked)
    ? [sql.ref<string>('post_terms.date'), sql.ref<number>('post_terms.post_id')]
    : [sql.ref<string>(`posts.${key}`), sql.ref<number>('posts.id')];
  const selected = matching(listing, asked, [kind]).select([id.as('id'), by.as('key')]);
  return key === 'id' ? selected.orderBy(id, order) : selected.orderBy(by, order).orderBy(id, order);
}

/** Everything the list holds, for lists that the request itself bounds. */
export async function allOf(listing: Listing, asked: Asked): Promise<{ id: number; slug: string }[]> {
  return matching(listing, asked, asked.kinds).select(['posts.id', 'posts.slug']).execute();
}

/** What is more to the point first, and among what is alike the newest. */
export async function byRelevance(listing: Listing, asked: Asked, search: Search, page: Page): Promise<number[]> {
  const numbers: number[] = [];
  let { offset } = page;
  let left = search.total;
  const ranks = byRank(search);
  for (const question of ranks) {
    const limit = page.limit - numbers.length;
    if (limit === 0 || left <= 0) break;
    const total = question === ranks.at(-1) ? left : await counted(listing, question);
    left -= total;
    if (total === 0) continue;
    const ranked = { ...asked, search: { ...search, question, total } };
    const skipped = offset === 0 ? 0 : await count(listing, ranked);
    if (offset > 0 && skipped <= offset) {
      offset -= skipped;
      continue;
    }
    numbers.push(...(await numbersOf(listing, ranked, { limit, offset, order: 'desc', key: 'date' })));
    offset = 0;
  }
  return numbers;
}
