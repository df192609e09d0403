// Which records carry which terms.
import { expressionBuilder, sql } from 'kysely';
import { allPossible } from '../../platform/listing.ts';
import { totalTopics } from '../tables.ts';
import type { Condition, Kind, Listing, Tables } from './list-filters.ts';
import type { TermFilter, Wanted } from './post.ts';

interface ByTerms {
  readonly conditions: readonly Condition[];
  /** Set where nothing is asked but one term: its records are kept in order. */
  readonly only?: number;
}

interface Resolved {
  /** One at least of each of these is carried. */
  readonly groups: readonly (readonly number[])[];
  readonly exclude: boolean;
}

export async function byTerms(listing: Listing, { terms = [], termRelation }: Wanted): Promise<ByTerms> {
  const filters = terms.filter((filter) => filter.terms.length > 0);
  if (filters.length === 0) return { conditions: [] };
  const resolved = await Promise.all(filters.map((filter) => resolve(listing, filter)));
  const [first] = resolved;
  if (resolved.length === 1 && !first!.exclude && first!.groups.length === 1 && first!.groups[0]!.length === 1)
    return { conditions: [], only: first!.groups[0]![0]! };
  const conditions = await Promise.all(resolved.map((one) => carrying(listing, one)));
  const on = expressionBuilder<Tables, 'posts'>();
  return { conditions: termRelation === 'OR' ? [on.or(conditions)] : conditions };
}

/** Numbers of terms of another taxonomy name nothing in this one. */
async function resolve({ db, withBelow }: Listing, filter: TermFilter): Promise<Resolved> {
  const asked = allPossible(filter.terms);
  const rows = await db
    .selectFrom('terms')
    .select('id')
    .where('id', 'in', asked)
    .where('taxonomy', '=', filter.taxonomy)
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  const each = asked.map((id) => (there.has(id) ? id : 0));
  const groups = filter.children
    ? await Promise.all(each.map(async (id) => [id, ...(await withBelow([id]))]))
    : each.map((id) => [id]);
  const { exclude } = filter;
  const isEach = filter.operator === 'AND' && !exclude;
  const distinct = (ids: readonly number[]) => [...new Set(ids)];
  return { exclude, groups: isEach ? groups.map(distinct) : [distinct(groups.flat())] };
}

async function carrying(listing: Listing, { groups, exclude }: Resolved): Promise<Condition> {
  const on = expressionBuilder<Tables, 'posts'>();
  if (exclude) return on.not(carries(groups[0]!));
  const each = await Promise.all(
    groups.map(async (ids) => ((await areFew(listing, ids)) ? amongCarriers(ids) : carries(ids))),
  );
  return on.and(each);
}

const carries = (ids: readonly number[]): Condition => {
  const on = expressionBuilder<Tables, 'posts'>();
  return on.exists(
    on
      .selectFrom('post_terms')
      .select(sql<number>`1`.as('carried'))
      .whereRef('post_terms.post_id', '=', 'posts.id')
      .where('post_terms.term_id', 'in', [...ids]),
  );
};

const amongCarriers = (ids: readonly number[]): Condition => {
  const on = expressionBuilder<Tables, 'posts'>();
  return on(
    'posts.id',
    'in',
    on
      .selectFrom('post_terms')
      .select('post_id')
      .where('term_id', 'in', [...ids]),
  );
};

/** Fewer than this are read and sorted before a page is found among all that there are. */
const few = 5000;

/** SQLite takes the way it is told. */
async function areFew({ db }: Listing, ids: readonly number[]): Promise<boolean> {
  const { carried } = await db
    .selectFrom(
      db
        .selectFrom('post_terms')
        .select('post_id')
        .where('term_id', 'in', [...ids])
        .limit(few)
        .as('some'),
    )
    .select((some) => some.fn.countAll<number>().as('carried'))
    .executeTakeFirstOrThrow();
  return carried < few;
}

/** How many records of these kinds carry it; nothing where that is not kept. */
export async function termTotal({ db }: Listing, term: number, kinds: readonly Kind[]): Promise<number | undefined> {
  if (kinds.some(({ status }) => status !== 'publish')) return undefined;
  return sumOf(
    db,
    totalTopics.terms,
    kinds.map(({ type, status }) => `${term}/${type}/${status}`),
  );
}

export async function sumOf(db: Listing['db'], topic: string, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { sum } = await db
    .selectFrom('totals')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('total'), sql<number>`0`).as('sum'))
    .where('topic', '=', topic)
    .where('key', 'in', [...keys])
    .executeTakeFirstOrThrow();
  return sum;
}
