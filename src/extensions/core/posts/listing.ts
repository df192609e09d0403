// The arguments of lists of records, and what they mean to the noun.

import { few, fewNames, shortTerm, startOf } from '#kernel/bounds.ts';
import { isNobody } from '#kernel/caller.ts';
import { offsetOf } from '#kernel/paging.ts';
import { Problem } from '#kernel/problem.ts';
import type { ArgumentsOf, Asker, Check, TProperties } from '#kernel/schema.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { postSlug } from '#lib/slug.ts';
import { readBound, type Zone } from '#lib/wall-time.ts';
import type { Extra } from '#site/content/extending.ts';
import type { Order, Wanted } from '#site/content/posts/post.ts';
import { anyStatus, statuses } from '#site/content/statuses.ts';
import type { ContentType } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import type { Core } from '../core.ts';
import { formats, type Served } from './fields.ts';
import { sortingArgs, termFilters } from './sorting.ts';

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
] as const;

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
    return { code: 'rest_forbidden_status', message: 'You are not allowed to look for this status.', data };
  }
  return known.includes(status)
    ? undefined
    : { code: 'rest_not_in_enum', message: `status must be one of: ${told.join(', ')}.` };
}

/** Arguments of the list of each type, up to those that say which page: in the order of the interface. */
export function listArgs(tools: Toolkit<Core>, served: Served, extra: Extra): ArgumentsOf<Listed> {
  const { t, context, page, perPage } = tools;
  const { type, taxonomies } = served;
  const has = (feature: ContentType['supports'][number]): boolean => type.supports.includes(feature);
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  const when = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  const ordered = has('page-attributes');
  const args: TProperties = {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'Words that must all occur.', check: shortTerm })),
    after: when('Only what was published after this.'),
    modified_after: when('Only what was changed after this.'),
    ...(has('author') && { author: ids('Only what these wrote.'), author_exclude: ids('Not what these wrote.') }),
    before: when('Only what was published before this.'),
    modified_before: when('Only what was changed before this.'),
    exclude: ids('Records to leave out.'),
    include: ids('Only these records.'),
    ...(ordered && { menu_order: t.optional(t.integer({ description: 'Only what has this place.' })) }),
    search_semantics: t.optional(t.choice(['exact'], { description: 'Whether whole texts are compared.' })),
    offset: t.optional(t.integer({ description: 'How many to leave out at the beginning.' })),
    order: t.choice(['asc', 'desc'], { default: 'desc' }),
    orderby: t.choice(ordered ? [...orders, 'menu_order'] : orders, { default: 'date' }),
    ...((type.hierarchical || type.name === 'attachment') && {
      parent: ids('Only what is right below these.'),
      parent_exclude: ids('Not what is right below these.'),
    }),
    search_columns: t.list(t.choice(Object.keys(columns) as (keyof typeof columns)[]), {
      default: [],
      description: 'Where to look for the words.',
      check: few,
    }),
    slug: t.optional(t.list(t.string(), { description: 'Only what has one of these slugs.', check: fewNames })),
    status: t.publishedAs(
      t.list(t.choice(told), { default: usual, description: 'Only what is one of these.' }),
      t.list(t.string(), { default: usual, check: statusCheck(type) }),
    ),
    ...sortingArgs(tools, taxonomies),
    ...(type.name === 'post' && {
      sticky: t.optional(t.boolean({ description: 'Only what stands on top, or only what does not.' })),
      ignore_sticky: t.boolean({ default: true, description: 'Whether what stands on top is put where it belongs.' }),
    }),
    ...(has('post-formats') && {
      format: t.optional(
        t.list(t.choice(formats), { uniqueItems: true, description: 'Only what has one of these formats.' }),
      ),
    }),
    ...extra.filters,
  };
  return args as ArgumentsOf<Listed>;
}

/** The arguments once they are settled; each type has some of them. */
export interface Listed {
  readonly context?: string | undefined;
  readonly page: number;
  readonly per_page: number;
  readonly search?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly modified_after?: string | undefined;
  readonly modified_before?: string | undefined;
  readonly author?: readonly number[] | undefined;
  readonly author_exclude?: readonly number[] | undefined;
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly menu_order?: number | undefined;
  readonly search_semantics?: string | undefined;
  readonly offset?: number | undefined;
  readonly order: 'asc' | 'desc';
  readonly orderby: Order;
  readonly parent?: readonly number[] | undefined;
  readonly parent_exclude?: readonly number[] | undefined;
  readonly search_columns: readonly (keyof typeof columns)[];
  readonly slug?: readonly string[] | undefined;
  readonly status: string | readonly string[];
  readonly tax_relation?: 'AND' | 'OR' | undefined;
  readonly sticky?: boolean | undefined;
  readonly ignore_sticky?: boolean | undefined;
  readonly format?: readonly string[] | undefined;
  readonly [more: string]: unknown;
}

const statusesOf = (status: string | readonly string[]): readonly string[] => {
  const wanted = typeof status === 'string' ? [status] : status;
  return wanted.includes('any') ? anyStatus : wanted.length === 0 ? [usual] : wanted;
};

export function wantedOf({ type, taxonomies }: Served, args: Listed, zone: Zone, extra: Extra): Wanted {
  refuseOrder(args);
  const { search, sticky, include, format } = args;
  return withoutUndefined({
    types: [type.name],
    statuses: statusesOf(args.status),
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: args.orderby,
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
    also: unlessEmpty(extra.conditions(args)),
  });
}

/** A time without a zone is one by the clock of the site. */
function timesOf(args: Listed, zone: Zone): Partial<Wanted> {
  const names = {
    after: 'after',
    before: 'before',
    modified_after: 'modifiedAfter',
    modified_before: 'modifiedBefore',
  };
  const times = Object.entries(names).map(([name, wanted]) => {
    const text = args[name];
    return [wanted, typeof text === 'string' ? readBound(zone, text).wall : undefined];
  });
  return Object.fromEntries(times);
}

/** Throws where an order is asked for of which nothing else is said. */
export function refuseOrder({ orderby, search = '', include }: Pick<Listed, 'orderby' | 'search' | 'include'>): void {
  if (orderby === 'relevance' && search === '')
    throw new Problem(400, 'rest_no_search_term_defined', 'Please say what to search for to have it in that order.');
  if (orderby === 'include' && include.length === 0)
    throw new Problem(
      400,
      'rest_orderby_include_missing_include',
      'Please say which records to include to have them in that order.',
    );
}
