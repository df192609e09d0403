// The list of users: its arguments, what they mean to the noun, and the user search of other extensions.

import { type SqlBool, sql } from 'kysely';
import { reading } from '#kernel/args/settle.ts';
import { few, fewNames, shortTerm, startOf } from '#kernel/bounds.ts';
import { offsetOf } from '#kernel/paging.ts';
import { Problem } from '#kernel/problem.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Asker, Schema } from '#kernel/schema.ts';
import { slugOf } from '#lib/slug.ts';
import type { Authors } from '#site/content/authors/authors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Core } from '../core.ts';
import { userRules } from './rules.ts';
import { type AddedToUsers, type Asked, both, type UserSearch, whoPublished } from './shown-users.ts';

const orders = ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'] as const;
const searchColumns = ['email', 'name', 'id', 'username', 'slug'] as const;

/** Kinds of content, all of which a user may have published. */
const kinds = [
  'post',
  'page',
  'attachment',
  'nav_menu_item',
  'wp_block',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
];

export function listArgs({ t, context, page, perPage }: Pick<Toolkit<Core>, 't' | 'context' | 'page' | 'perPage'>) {
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  const names = (description: string) => t.optional(t.list(t.string(), { description, check: fewNames }));
  // Clients are used to a map here, of each kind to itself.
  const items = { type: 'string', enum: Object.fromEntries(kinds.map((kind) => [kind, kind])) };
  const published = { type: ['boolean', 'array'], items } as unknown as Schema;
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(
      t.string({ description: 'Part of the login, name, email address or website.', check: shortTerm }),
    ),
    exclude: ids('Users to leave out.'),
    include: ids('Only these users.'),
    offset: t.optional(t.integer({ description: 'Number of items to skip.' })),
    order: t.choice(['asc', 'desc'], { default: 'asc' }),
    orderby: t.choice(orders, { default: 'name' }),
    slug: names('Only users with these slugs.'),
    roles: names('Only users with any of these roles.'),
    capabilities: names('Only users with any of these capabilities.'),
    who: t.optional(t.choice(['authors'])),
    has_published_posts: t.optional(
      t.publishedAs(published as never, t.anyOf([t.boolean(), t.list(t.choice(kinds), { check: few })])),
    ),
    search_columns: t.list(t.choice(searchColumns), { default: [], check: few }),
  };
}

type Args = RecordOf<ReturnType<typeof listArgs>>;

/** Nobody but who may list users sees anybody who has published nothing. */
export function wantedOf(args: Args, caller: Asker): Asked {
  const lists = caller.can('list_users');
  const { has_published_posts: published = false } = args;
  const types = Array.isArray(published) && published.length > 0 ? published : undefined;
  const capabilities = [...(args.capabilities ?? []), ...(args.who === 'authors' ? ['edit_posts'] : [])];
  return {
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: args.orderby,
    search: args.search ?? '',
    searchColumns: args.search_columns,
    searchPrivate: lists,
    include: args.include,
    exclude: args.exclude,
    slugs: args.slug?.map(slugOf) ?? [],
    ...(args.roles !== undefined && args.roles.length > 0 && { roles: args.roles }),
    ...(capabilities.length > 0 && { capabilities }),
    published: types ?? (!lists || published === true),
  };
}

/** Shows each caller what the list of users would show, one part at a time. */
export function createUserSearch(
  tools: Toolkit<Core>,
  users: Pick<Users, 'list'>,
  authors: Authors,
  added: AddedToUsers,
): UserSearch {
  const read = reading(listArgs(tools));
  const { mayList } = userRules(tools);
  return {
    async found(query, asker, { after, most }) {
      const args = read(query, asker);
      const verdict = await mayList.allow(asker, undefined, args);
      if (verdict instanceof Problem) throw verdict;
      const { published, ...wanted } = wantedOf(args, asker);
      const later = sql<SqlBool>`users.id > ${after}`;
      const filters = await added.now.condition(reading(added.now.filters)(query, asker), asker);
      const also = both(both(later, whoPublished(authors, published, asker)), filters);
      const part = { limit: most, offset: 0, orderBy: 'id', order: 'asc' } as const;
      return (await users.list({ ...wanted, ...part, ...(also && { also }) })).items;
    },
  };
}
