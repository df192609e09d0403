// The arguments of lists of terms, and what they mean to the noun.

import { few, fewNames, shortTerm, startOf } from '#kernel/bounds.ts';
import { offsetOf } from '#kernel/paging.ts';
import type { RecordOf } from '#kernel/resource.ts';
import { postSlug } from '#lib/slug.ts';
import type { WantedTerms } from '#site/content/terms/term.ts';
import type { Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;

function allArgs({ t, context, page, perPage }: Toolkit<Core>) {
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'A part of the name or the slug.', check: shortTerm })),
    exclude: ids('Terms to leave out.'),
    include: ids('Only these terms.'),
    offset: t.optional(t.integer({ description: 'How many to leave out at the beginning.' })),
    order: t.choice(['asc', 'desc'], { default: 'asc' }),
    orderby: t.choice(orders, { default: 'name' }),
    hide_empty: t.boolean({ default: false, description: 'Leaves out terms that nothing published carries.' }),
    parent: t.optional(t.integer({ description: 'Only terms right below this one; 0 for those at the top.' })),
    post: t.publishedAs(t.integer({ default: null, description: 'Only terms of this post.' }), t.optional(t.integer())),
    slug: t.optional(t.list(t.string(), { description: 'Only terms with these slugs.', check: fewNames })),
  };
}

/** Where terms lie below each other they are asked for by place; else they may be cut out of the list anywhere. */
export function listArgs(tools: Toolkit<Core>, { hierarchical }: Taxonomy): ReturnType<typeof allArgs> {
  const args: Partial<ReturnType<typeof allArgs>> = allArgs(tools);
  delete args[hierarchical ? 'offset' : 'parent'];
  return args as ReturnType<typeof allArgs>;
}

type Args = RecordOf<ReturnType<typeof allArgs>>;

export function wantedOf({ name: taxonomy }: Taxonomy, args: Args): WantedTerms {
  const { search, post, parent } = args;
  return {
    taxonomy,
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: args.orderby,
    include: args.include,
    exclude: args.exclude,
    hideEmpty: args.hide_empty,
    ...(args.slug !== undefined && { slugs: args.slug.map(postSlug) }),
    ...(search !== undefined && { search }),
    ...(post !== undefined && post !== 0 && { post }),
    ...(parent !== undefined && { parent }),
  };
}

/** The page that a list cut out by an offset counts as. */
export const pageOf = ({ offset, per_page }: Args): { page?: number } =>
  offset === undefined ? {} : { page: Math.ceil(startOf(offset) / per_page) + 1 };
