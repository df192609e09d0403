// The list of terms: filtered, sorted, paged and counted, and quick with very many of them.
import { type SelectQueryBuilder, sql } from 'kysely';
import { fold } from '#lib/fold.ts';
import { contains } from '#store/contains.ts';
import type { Reads } from '#store/handles.ts';
import { allPossible, givenOrder, pageAsGiven, possible, totalAfter } from '../../platform/listing.ts';
import { type TotalsTables, totalOf } from '../../platform/totals.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import { columns } from './rows.ts';
import type { Term, WantedTerms } from './term.ts';

type Tables = ContentTables & TotalsTables;
type Db = Reads<Tables>;
type Matching = SelectQueryBuilder<Tables, 'terms', object>;

export async function listTerms(db: Db, wanted: WantedTerms): Promise<{ items: Term[]; total: number }> {
  const { search = '', taxonomy } = wanted;
  if (search.includes('\0')) return { items: [], total: 0 };
  const matching = matchingTerms(db, wanted);
  const given = givenOrder(wanted);
  const items = given
    ? pageAsGiven(await matching.select(seen).execute(), given, wanted)
    : await ordered(matching, wanted).select(seen).limit(wanted.limit).offset(wanted.offset).execute();
  const total = isNarrowed(wanted)
    ? await totalFrom(items.length, matching, wanted)
    : await totalOf(db, totalTopics.taxonomies, taxonomy);
  return { items, total };
}

/** All that one record carries, in the order in which it shows them. */
export const isAllCarried = (wanted: WantedTerms): wanted is WantedTerms & { readonly post: number } => {
  const { post, include = [], exclude = [], slugs = [], search = '', parent, hideEmpty } = wanted;
  const isNarrowed = include.length + exclude.length + slugs.length + search.length > 0 || parent !== undefined;
  if (post === undefined || isNarrowed || hideEmpty === true) return false;
  return wanted.orderBy === 'name' && wanted.order === 'asc' && wanted.offset === 0;
};

const seen = columns.map((column) => `terms.${column}` as const);

/** Who names those to show does not also have to leave some out. */
function matchingTerms(db: Db, { taxonomy, include = [], exclude = [], slugs = [], ...wanted }: WantedTerms): Matching {
  const search = fold(wanted.search?.trim() ?? '');
  let matching: Matching =
    wanted.post === undefined
      ? db.selectFrom('terms').where('terms.taxonomy', '=', taxonomy)
      : carriedBy(db, taxonomy, wanted.post);
  if (include.length > 0) matching = matching.where('terms.id', 'in', allPossible(include));
  else if (exclude.length > 0) matching = matching.where('terms.id', 'not in', allPossible(exclude));
  if (slugs.length > 0) matching = matching.where('terms.slug', 'in', [...slugs]);
  if (wanted.parent !== undefined) matching = matching.where('terms.parent', '=', possible(wanted.parent));
  // As the index of those in use says it, and as no other index knows it.
  if (wanted.hideEmpty) matching = matching.where(sql<boolean>`terms.count <> 0`);
  if (search !== '')
    matching = matching.where((term) => term.or([contains('terms.name_key', search), contains('terms.slug', search)]));
  return matching;
}

/** Without a word of the taxonomy of the term: SQLite would walk through all of it. */
const carriedBy = (db: Db, taxonomy: string, post: number): Matching =>
  db
    .selectFrom('terms')
    .innerJoin('post_terms', 'post_terms.term_id', 'terms.id')
    .where('post_terms.post_id', '=', possible(post))
    .where('post_terms.taxonomy', '=', taxonomy) as unknown as Matching;

/** Counting a large table takes longer than all the rest. */
const isNarrowed = ({ include = [], exclude = [], slugs = [], search = '', post, parent, hideEmpty }: WantedTerms) =>
  include.length + exclude.length + slugs.length + search.trim().length > 0 ||
  post !== undefined ||
  parent !== undefined ||
  hideEmpty === true;

async function totalFrom(shown: number, matching: Matching, wanted: WantedTerms): Promise<number> {
  const known = totalAfter(shown, wanted);
  if (known !== undefined) return known;
  const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return total;
}

const sorted = {
  name: 'terms.name_key',
  slug: 'terms.slug',
  description: 'terms.description',
  count: 'terms.count',
} as const;

/** Those that are alike in that come in the order of their numbers; nothing else groups them. */
function ordered(matching: Matching, { orderBy, order, slugs = [] }: WantedTerms): Matching {
  const by = orderBy in sorted ? sql.ref(sorted[orderBy as keyof typeof sorted]) : undefined;
  // As no index knows it: a few that are named are found by their names, and then sorted.
  const key = by && slugs.length > 0 ? sql`coalesce(${by}, ${by})` : by;
  return (key === undefined ? matching : matching.orderBy(key, order)).orderBy('terms.id', order);
}
