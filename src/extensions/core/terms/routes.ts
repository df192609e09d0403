// The routes of terms, the same for every taxonomy: arguments of lists, access rules and handlers.
import { few, fewNames, shortTerm, startOf } from '#kernel/bounds.ts';
import { offsetOf } from '#kernel/paging.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Route } from '#kernel/route.ts';
import { postSlug } from '#lib/slug.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { WantedTerms } from '#site/content/terms/term.ts';
import { category, patternCategory, type Taxonomy, tag } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { termResource } from './resource.ts';
import { cannotAdd, cannotDelete, mayAdd, type ShownTerm } from './shown-terms.ts';

export const routes = (tools: Toolkit<Core>): Route[] =>
  [category, tag, patternCategory].flatMap((taxonomy) => termRoutes(tools, taxonomy));

function termRoutes(tools: Toolkit<Core>, taxonomy: Taxonomy): Route[] {
  const { route, t, context, created, deleted } = tools;
  const { base, hierarchical } = taxonomy;
  const name = taxonomy.label.toLowerCase();
  const one = `${base}/(?P<id>[\\d]+)` as const;
  const resource = termResource(tools, taxonomy);
  const { createArgs, updateArgs } = resource;
  const { mayList, mayAdd, mayView, mayChange, mayDelete } = termRules(tools, taxonomy);
  const id = { id: t.integer() };
  // Refused where there is no such thing, which who sends it should know.
  const payload = hierarchical ? t.object({}) : t.object({ parent: t.optional(t.integer()) });
  const shared = { resource, batch: true } as const;

  return [
    route({
      ...shared,
      method: 'GET',
      path: base,
      summary: `${taxonomy.labels}, by name`,
      access: mayList,
      args: listArgs(tools, taxonomy),
      handle: async ({ args, caller, use }) => ({
        ...(await use.terms.list(wantedOf(taxonomy, args), caller)),
        ...pageOf(args),
      }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: base,
      summary: `Create a ${name}`,
      access: mayAdd,
      args: createArgs,
      payload,
      handle: async ({ args, payload, caller, use }) =>
        created(await use.terms.add(taxonomy, { ...args, ...payload }, caller)),
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      summary: `Get a ${name}`,
      access: mayView,
      args: { ...id, context: context() },
      handle: ({ record }) => record,
    }),
    route({
      ...shared,
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: `Change a ${name}`,
      access: mayChange,
      args: { ...id, ...updateArgs },
      payload,
      handle: ({ args, payload, record, caller, use }) =>
        use.terms.change(taxonomy, record, { ...args, ...payload }, caller),
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: one,
      summary: `Delete a ${name} permanently`,
      access: mayDelete,
      args: {
        ...id,
        force: t.boolean({ default: false, description: 'Must be true: terms have no trash.' }),
      },
      handle: async ({ args: { force }, record, caller, use }) => {
        if (force) return deleted(await use.terms.erase(taxonomy, record, caller));
        throw contentErrors
          .trashNotSupported()
          .saying('Terms have no trash. Send force=true to delete the term permanently.');
      },
    }),
  ];
}

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;

function allArgs({ t, context, page, perPage }: Toolkit<Core>) {
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'Part of the name or the slug.', check: shortTerm })),
    exclude: ids('Terms to leave out.'),
    include: ids('Only these terms.'),
    offset: t.optional(t.integer({ description: 'Number of items to skip.' })),
    order: t.choice(['asc', 'desc'], { default: 'asc' }),
    orderby: t.choice(orders, { default: 'name' }),
    hide_empty: t.boolean({ default: false, description: 'Leaves out terms without published records.' }),
    parent: t.optional(t.integer({ description: 'Only direct children of this term; 0 for terms without a parent.' })),
    post: t.publishedAs(t.integer({ default: null, description: 'Only terms of this post.' }), t.optional(t.integer())),
    slug: t.optional(t.list(t.string(), { description: 'Only terms with these slugs.', check: fewNames })),
  };
}

/** Where terms lie below each other they are asked for by place; else they may be cut out of the list anywhere. */
function listArgs(tools: Toolkit<Core>, { hierarchical }: Taxonomy): ReturnType<typeof allArgs> {
  const args: Partial<ReturnType<typeof allArgs>> = allArgs(tools);
  delete args[hierarchical ? 'offset' : 'parent'];
  return args as ReturnType<typeof allArgs>;
}

type Args = RecordOf<ReturnType<typeof allArgs>>;

function wantedOf({ name: taxonomy }: Taxonomy, args: Args): WantedTerms {
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
const pageOf = ({ offset, per_page }: Args): { page?: number } =>
  offset === undefined ? {} : { page: Math.ceil(startOf(offset) / per_page) + 1 };

interface ByNumber {
  readonly id: number;
}

interface Looking {
  readonly context?: string;
}

function termRules({ on, when }: Toolkit<Core>, taxonomy: Taxonomy) {
  const { capabilities } = taxonomy;
  const seen = `All visitors. \`context=edit\`: with \`${capabilities.edit}\`.`;
  const find = ({ id }: ByNumber, { terms }: Core) => terms.get(id, taxonomy);
  const wrongContext = () => contentErrors.forbiddenContext('see terms with `context=edit`');

  /** Of other kinds none does, so they are not even looked at. */
  const stays = (term: ShownTerm): boolean => taxonomy === category && term.isDefault;

  return {
    mayList: when<Looking>(
      (caller, { context }) => context !== 'edit' || caller.can(capabilities.edit) || wrongContext(),
      seen,
    ),

    mayAdd: when(
      (caller) => mayAdd(caller, taxonomy) || cannotAdd(),
      `With \`${taxonomy.hierarchical ? capabilities.edit : capabilities.assign}\`.`,
    ),

    mayView: on(
      find,
      (caller, _, { context }: Looking) => context !== 'edit' || caller.can(capabilities.edit) || wrongContext(),
      seen,
    ),

    mayChange: on(
      find,
      (caller) => caller.can(capabilities.edit) || coreErrors.cannotUpdate(),
      `With \`${capabilities.edit}\`.`,
    ),

    mayDelete: on(
      find,
      (caller, term) => (caller.can(capabilities.delete) && !stays(term)) || cannotDelete(),
      `With \`${capabilities.delete}\`${taxonomy === category ? ', except the default category' : ''}.`,
    ),
  };
}
