// The arguments of lists of records, and what they mean to the noun.

import { few, fewNames, shortTerm, startOf } from '#kernel/bounds.ts';
import { isNobody } from '#kernel/caller.ts';
import { offsetOf } from '#kernel/paging.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Asker, Check, TProperties } from '#kernel/schema.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { postSlug } from '#lib/slug.ts';
import { readBound, type Zone } from '#lib/wall-time.ts';
import type { Extra } from '#site/content/extending.ts';
import type { Conditions, Order, TermFilter, Wanted } from '#site/content/posts/post.ts';
import { anyStatus, statuses } from '#site/content/statuses.ts';
import type { ContentType, Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { formats, type Served } from './fields.ts';

const orders = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
  'menu_order',
] as const satisfies readonly Order[];

const searchable = ['post_title', 'post_content', 'post_excerpt'] as const;
const columns = { post_title: 'title', post_content: 'content', post_excerpt: 'excerpt' } as const;

/** Names that other systems of this kind have, and of which there is never anything here. */
const strangers = ['request-pending', 'request-confirmed', 'request-failed', 'request-completed'];

const told = [...statuses.map(({ name }) => name), ...strangers, 'any'];
/** One of these only some sites have, so nobody is told of it. */
const known = [...told, 'acf-disabled'];

const usual = 'publish';

/** Only accounts that write may filter by another status than published, because even the names of statuses tell of drafts. */
export const statusCheck =
  (type: ContentType): Check =>
  (wanted: readonly string[], asker: Asker) => {
    for (const status of wanted) {
      const refusal = status === usual ? undefined : statusRefusal(status, type, asker);
      if (refusal !== undefined) return refusal;
    }
    return few(wanted);
  };

function statusRefusal(status: string, { capabilities: { edit, read_private } }: ContentType, asker: Asker) {
  const mayAsk = asker.can(edit) || (status === 'private' && asker.can(read_private));
  if (!mayAsk) {
    const data = { status: isNobody(asker) ? 401 : 403 };
    return {
      code: 'rest_forbidden_status',
      message: isNobody(asker) ? 'Sign in to filter by this status.' : 'Your account cannot filter by this status.',
      data,
    };
  }
  return known.includes(status)
    ? undefined
    : { code: 'rest_not_in_enum', message: `status must be one of: ${told.join(', ')}.` };
}

/** Arguments of the list of each type, up to those that say which page: in the order of the interface. */
export function listArgs(tools: Toolkit<Core>, served: Served, extra: Extra) {
  const { t, context, page, perPage } = tools;
  const { type, taxonomies } = served;
  const has = (feature: ContentType['supports'][number]): boolean => type.supports.includes(feature);
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  const when = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  const own: readonly string[] = orders.filter((name) => name !== 'menu_order' || has('page-attributes'));
  const taken = extra.orders.find((name) => own.includes(name));
  if (taken !== undefined) throw new TypeError(`Lists of the type ${type.name} have an order ${taken} of their own.`);
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'Words that must all occur.', check: shortTerm })),
    after: when('Only records published after this time.'),
    modified_after: when('Only records changed after this time.'),
    ...t.includedIf(has('author'), {
      author: ids('Only records by these authors.'),
      author_exclude: ids('No records by these authors.'),
    }),
    before: when('Only records published before this time.'),
    modified_before: when('Only records changed before this time.'),
    exclude: ids('Records to leave out.'),
    include: ids('Only these records.'),
    ...t.includedIf(has('page-attributes'), {
      menu_order: t.optional(t.integer({ description: 'Only records with this position.' })),
    }),
    search_semantics: t.optional(t.choice(['exact'], { description: '`exact` to search for the whole text.' })),
    offset: t.optional(t.integer({ description: 'Number of items to skip.' })),
    order: t.choice(['asc', 'desc'], { default: 'desc' }),
    orderby: t.choice([...own, ...extra.orders], { default: 'date' }),
    ...t.includedIf(type.hierarchical || type.name === 'attachment', {
      parent: ids('Only direct children of these records.'),
      parent_exclude: ids('No direct children of these records.'),
    }),
    search_columns: t.list(t.choice(searchable), {
      default: [],
      description: 'Fields to search.',
      check: few,
    }),
    slug: t.optional(t.list(t.string(), { description: 'Only records with one of these slugs.', check: fewNames })),
    status: t.publishedAs(
      t.list(t.choice(told), { default: usual, description: 'Only records with one of these statuses.' }),
      t.list(t.string(), { default: usual, check: statusCheck(type) }),
    ),
    ...sortingArgs(tools, taxonomies),
    ...t.includedIf(type.name === 'post', {
      sticky: t.optional(t.boolean({ description: 'Only sticky records, or only records that are not sticky.' })),
      ignore_sticky: t.boolean({ default: true, description: 'Whether to list sticky records by date.' }),
    }),
    ...t.includedIf(has('post-formats'), {
      format: t.optional(
        t.list(t.choice(formats), { uniqueItems: true, description: 'Only records with one of these formats.' }),
      ),
    }),
    ...t.unlisted(extra.filters),
  };
}

/** The arguments once they are settled; each type has some of them. */
export type Listed = RecordOf<ReturnType<typeof listArgs>>;

/** Where nobody says a status, the one that is usual stands here alone. */
const statusesOf = (status: string | readonly string[]): readonly string[] => {
  const wanted = [status].flat();
  return wanted.includes('any') ? anyStatus : wanted.length === 0 ? [usual] : wanted;
};

interface ListContext {
  readonly zone: Zone;
  readonly extra: Extra;
  /** Of extensions, for whoever reads the list. */
  readonly conditions: Conditions;
}

export function wantedOf({ type, taxonomies }: Served, args: Listed, { zone, extra, conditions }: ListContext): Wanted {
  refuseOrder(args);
  const { search, sticky, include, format } = args;
  return withoutUndefined({
    types: [type.name],
    statuses: statusesOf(args.status),
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: orders.find((one) => one === args.orderby) ?? 'date',
    addedOrder: extra.orderOf(args.orderby),
    search: search === '' ? undefined : search,
    searchColumns: unlessEmpty(args.search_columns.map((name) => columns[name])),
    searchExact: args.search_semantics === 'exact' ? true : undefined,
    ...timesOf(args, zone),
    authors: unlessEmpty(args.author),
    notAuthors: unlessEmpty(args.author_exclude),
    include: unlessEmpty(include),
    exclude: include.length > 0 ? undefined : unlessEmpty(args.exclude),
    slugs: unlessEmpty(args.slug?.map(postSlug)),
    parents: unlessEmpty(args.parent),
    notParents: unlessEmpty(args.parent_exclude),
    menuOrder: args.menu_order,
    terms: unlessEmpty(termFilters(taxonomies, args)),
    termRelation: args.tax_relation,
    sticky: sticky === false && include.length > 0 ? undefined : sticky,
    stickyFirst: args.ignore_sticky === false && args.page === 1 && include.length === 0 ? true : undefined,
    formats: unlessEmpty(format),
    also: unlessEmpty(conditions.also),
    alsoFew: conditions.areFew ? true : undefined,
  });
}

/** A time without a zone is one by the clock of the site. */
function timesOf({ after, before, modified_after, modified_before }: Listed, zone: Zone) {
  const wall = (text: string | undefined) => (text === undefined ? undefined : readBound(zone, text).wall);
  return {
    after: wall(after),
    before: wall(before),
    modifiedAfter: wall(modified_after),
    modifiedBefore: wall(modified_before),
  };
}

/** Throws where an order is asked for of which nothing else is said. */
export function refuseOrder({ orderby, search = '', include }: Pick<Listed, 'orderby' | 'search' | 'include'>): void {
  if (orderby === 'relevance' && search === '') throw coreErrors.noSearchTermDefined();
  if (orderby === 'include' && include.length === 0) throw coreErrors.orderbyIncludeMissingInclude();
}

// The filters of a list by what sorts its records.

interface Query {
  readonly terms?: readonly number[];
  readonly include_children?: boolean;
  readonly operator?: 'AND' | 'OR';
}

/** Numbers of terms alone, or with how they are meant. */
type Sent = readonly number[] | Query;

const isList = (sent: Sent): sent is readonly number[] => Array.isArray(sent);

const fewTerms: Check = (sent: Sent) => few(isList(sent) ? sent : (sent.terms ?? []));

/** Two for each taxonomy, and how they go together. */
function sortingArgs({ t }: Toolkit<Core>, taxonomies: readonly Taxonomy[]) {
  const terms = { terms: t.list(t.integer(), { default: [] }) };
  const query = ({ hierarchical }: Taxonomy, excludes: boolean): TProperties => ({
    ...terms,
    ...(hierarchical && { include_children: t.boolean({ default: false }) }),
    ...(!excludes && { operator: t.choice(['AND', 'OR'], { default: 'OR' }) }),
  });
  const filter = (taxonomy: Taxonomy, excludes: boolean) =>
    t.optional(
      t.oneOf(
        [
          t.list(t.integer(), { title: 'Term ID List' }),
          t.object(query(taxonomy, excludes), { title: 'Term ID Taxonomy Query', additionalProperties: false }),
        ],
        {
          type: ['object', 'array'],
          description: excludes ? 'Only records without these terms.' : 'Only records with these terms.',
          check: fewTerms,
        },
      ),
    );
  const filters = taxonomies.flatMap((taxonomy) => [
    [taxonomy.base, filter(taxonomy, false)],
    [`${taxonomy.base}_exclude`, filter(taxonomy, true)],
  ]);
  const relation = t.choice(['AND', 'OR'], { description: 'AND if all term filters must match, OR if one is enough.' });
  return {
    ...t.includedIf(taxonomies.length > 0, { tax_relation: t.optional(relation) }),
    ...t.unlisted(Object.fromEntries(filters)),
  };
}

function termFilters(taxonomies: readonly Taxonomy[], args: Readonly<Record<string, unknown>>): readonly TermFilter[] {
  const filterOf = (taxonomy: string, sent: unknown, exclude: boolean): TermFilter[] => {
    if (sent === undefined) return [];
    const { terms = [], include_children: children = false, operator = 'OR' } = queryOf(sent as Sent);
    return terms.length === 0 ? [] : [{ taxonomy, terms, children, operator, exclude }];
  };
  return taxonomies.flatMap(({ name, base }) => [
    ...filterOf(name, args[base], false),
    ...filterOf(name, args[`${base}_exclude`], true),
  ]);
}

const queryOf = (sent: Sent): Query => (isList(sent) ? { terms: sent } : sent);
