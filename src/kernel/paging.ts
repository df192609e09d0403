import { formatQuery } from './args/query.ts';

interface Paging {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  /** The last page a link may name, where that is not told by the total. */
  readonly pages?: number | undefined;
  /** The collection's address, without a query. */
  readonly url: string;
  /** The query as it was settled, in the order sent. */
  readonly query: readonly (readonly [name: string, value: unknown])[];
}

/** How many rows come before a page; never more than a number can count exactly. */
export const offsetOf = ({ page, per_page }: { page: number; per_page: number }): number =>
  Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER);

export function pagingHeaders({
  total,
  page,
  perPage,
  pages: last,
  url,
  query,
}: Paging): Record<string, string | number> {
  const pages = Math.ceil(total / perPage);
  const links: string[] = [];
  const link = (number: number, rel: string) => links.push(`<${pageUrl(url, query, number)}>; rel="${rel}"`);
  const before = Math.min(page - 1, last ?? pages);
  if (before > 0) link(before, 'prev');
  if (page < pages) link(page + 1, 'next');
  return {
    'X-WP-Total': total,
    'X-WP-TotalPages': pages,
    ...(links.length > 0 && { Link: links.join(', ') }),
  };
}

interface Going {
  /** Of the collection, without a query. */
  readonly url: string;
  readonly query: Paging['query'];
  readonly after: string | undefined;
  /** Further addresses, by relation. */
  readonly links: readonly (readonly [rel: string, url: string])[];
}

/** For collections that nobody counts. */
export function stretchHeaders({ url, query, after, links }: Going): Record<string, string> {
  const others = query.filter(([name]) => name !== 'after');
  const next = after === undefined ? [] : [['next', `${url}?${formatQuery([...others, ['after', after]])}`] as const];
  const all = [...next, ...links].map(([rel, address]) => `<${address}>; rel="${rel}"`);
  return all.length === 0 ? {} : { Link: all.join(', ') };
}

/** The same query with `page` replaced in place, or added at the end. */
function pageUrl(url: string, query: Paging['query'], page: number): string {
  const has = query.some(([name]) => name === 'page');
  const entries = has
    ? query.map(([name, value]) => [name, name === 'page' ? page : value] as const)
    : [...query, ['page', page] as const];
  return `${url}?${formatQuery(entries)}`;
}
