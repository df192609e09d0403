// What lists of every kind have in common.

interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** Lists that are empty filter nothing. */
export const unlessEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list?.length ? list : undefined;

/** A number that no row can have is nobody's. */
export const possible = (id: number): number => (Number.isSafeInteger(id) ? id : -1);

/** Each once. */
export const allPossible = (ids: readonly number[]): number[] => [...new Set(ids.map(possible))];

/** A page that is not full is the last: there is nothing left to count. Nothing where it does not tell. */
export const totalAfter = (shown: number, { limit, offset }: Part): number | undefined =>
  shown < limit && (shown > 0 || offset === 0) ? offset + shown : undefined;

/** The order of a list in the request, which bounds how many there are. */
export interface Given {
  readonly field: 'id' | 'slug';
  readonly values: readonly (number | string)[];
}

interface Ordering {
  readonly orderBy: string;
  readonly include?: readonly number[] | undefined;
  readonly slugs?: readonly string[] | undefined;
}

export function givenOrder({ orderBy, include = [], slugs = [] }: Ordering): Given | undefined {
  if (orderBy === 'include' && include.length > 0) return { field: 'id', values: include };
  if (orderBy === 'include_slugs' && slugs.length > 0) return { field: 'slug', values: slugs };
  return undefined;
}

/** A page of all that there are, in that order; those with one place in it by their numbers. */
export function pageAsGiven<Row extends { readonly id: number; readonly slug?: string }>(
  rows: readonly Row[],
  { field, values }: Given,
  { limit, offset }: Part,
): Row[] {
  const places = new Map(values.map((value, at) => [value, at] as const).reverse());
  const place = (row: Row): number => places.get(row[field] ?? '') ?? values.length;
  return rows.toSorted((one, other) => place(one) - place(other) || one.id - other.id).slice(offset, offset + limit);
}
