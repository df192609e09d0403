// The list of records: filtered, searched, sorted, paged and counted, and quick with very many of them.
import { givenOrder, pageAsGiven } from '../../platform/listing.ts';
import { filtersOf, isAmong, isOpen, isSticky } from './list-filters.ts';
import { allOf, byRelevance, numbersOf, pageOf } from './list-order.ts';
import type { Kind, Listing } from './list-shape.ts';
import type { Asked } from './list-source.ts';
import { byTerms } from './list-terms.ts';
import { totalFrom, totalOfKinds } from './list-totals.ts';
import type { PostList, VersionList, Wanted } from './post.ts';
import { somePosts, someVersions } from './rows.ts';
import { mostRead, searchOf } from './search.ts';

/** How many sticky ones may come on top of a page. */
const mostSticky = 100;

export const listPosts = (listing: Listing, wanted: Wanted): Promise<PostList> => listed(listing, wanted, somePosts);

/** What remembered records are known by, in the place of the records. */
export const listVersions = (listing: Listing, wanted: Wanted): Promise<VersionList> =>
  listed(listing, wanted, someVersions);

async function listed<Row>(
  listing: Listing,
  wanted: Wanted,
  read: (db: Listing['db'], ids: readonly number[]) => Promise<ReadonlyMap<number, Row>>,
): Promise<{ items: Row[]; total: number }> {
  const asked = await askedFor(listing, wanted);
  if (asked === undefined) return { items: [], total: 0 };
  const { numbers, total: known } = await numbersIn(listing, asked, wanted);
  const onTop = wanted.stickyFirst === true && wanted.offset === 0 ? await stickyOf(listing, asked, wanted) : [];
  const shown = [...new Set([...onTop, ...numbers])];
  const [total, rows] = await Promise.all([
    known ?? totalFrom(listing, wanted, asked, numbers.length),
    read(listing.db, shown),
  ]);
  return { items: shown.map((id) => rows.get(id)).filter((row) => row !== undefined), total };
}

/** Nothing where nothing can be found. */
async function askedFor(listing: Listing, wanted: Wanted): Promise<Asked | undefined> {
  const kinds = kindsOf(wanted);
  if (kinds.length === 0) return undefined;
  const search = await searchOf(listing, wanted, kinds);
  if (search?.total === 0) return undefined;
  const { conditions, only } = await byTerms(listing, wanted);
  const numbers = search?.numbers;
  const all = [...filtersOf(wanted), ...conditions, ...(search?.besides ?? [])];
  const among = numbers === undefined ? [] : [isAmong(listing.engine, numbers), ...(wanted.searchOpen ? [isOpen] : [])];
  return {
    kinds,
    conditions: [...all, ...among],
    term: only,
    search: numbers === undefined ? search : undefined,
    isFew: numbers !== undefined,
    all: search === undefined || numbers !== undefined ? 0 : await totalOfKinds(listing, kinds),
    until: wanted.limit + wanted.offset,
    isGiven: numbers !== undefined || namesThem(wanted),
    byDate: numbers === undefined && pageOf(wanted).key === 'date',
  };
}

const namesThem = (wanted: Wanted): boolean => {
  const { sticky, include = [], slugs = [], parents = [] } = wanted;
  // By date, an index has them in order.
  const areBelow = parents.length > 0 && !parents.includes(0) && pageOf(wanted).key !== 'date';
  return sticky === true || include.length + slugs.length > 0 || areBelow;
};

const kindsOf = ({ types, statuses }: Wanted): Kind[] =>
  [...new Set(types)].flatMap((type) => [...new Set(statuses)].map((status) => ({ type, status })));

interface Numbers {
  readonly numbers: readonly number[];
  /** Where all were read. */
  readonly total?: number;
}

async function numbersIn(listing: Listing, asked: Asked, wanted: Wanted): Promise<Numbers> {
  const { orderBy, limit, offset } = wanted;
  const given = givenOrder(wanted);
  if (given !== undefined) {
    const all = await allOf(listing, asked);
    return { numbers: pageAsGiven(all, given, wanted).map(({ id }) => id), total: all.length };
  }
  const page = pageOf(wanted);
  if (asked.isFew) {
    const all = await numbersOf(listing, asked, { ...page, limit: mostRead, offset: 0 });
    return { numbers: all.slice(offset, offset + limit), total: all.length };
  }
  if (orderBy === 'relevance' && asked.search !== undefined)
    return { numbers: await byRelevance(listing, asked, asked.search, page) };
  return { numbers: await numbersOf(listing, asked, page) };
}

async function stickyOf(listing: Listing, asked: Asked, wanted: Wanted): Promise<number[]> {
  const conditions = [...asked.conditions, isSticky];
  const page = { ...pageOf(wanted), limit: mostSticky, offset: 0 };
  return numbersOf(listing, { ...asked, conditions, isGiven: true, until: mostSticky }, page);
}
