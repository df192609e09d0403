// What may be asked of abilities. The order is that of the index: an address that ends in `run` runs.
import type { Asked } from '#kernel/access.ts';
import { methods, type Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Card } from '#site/hooks/abilities/abilities.ts';
import type { Run } from '#site/hooks/abilities/running.ts';
import { abilityResource, categoryResource, type Served } from './resource.ts';

const anything = {
  type: ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'],
  default: null,
  description: 'Input of the ability.',
};

/** What an ability answers is its own affair: nothing says when it would answer otherwise. */
const never = 0;

interface Running extends Run {
  readonly may: Served['runs']['may'];
}

const find = ({ name }: { name: string }, { runs }: Served, asked: Asked | undefined): Running => ({
  ...runs.prepare(name, asked),
  may: runs.may,
});

export function routes(tools: Toolkit<Served>): Route[] {
  const { route, t, on, lasting, withStatus } = tools;
  const name = { name: t.string({ pattern: '^[a-zA-Z0-9\\-\\/]+$', description: 'The name of the ability.' }) };
  const slug = t.string({ pattern: '^[a-z0-9-]+$', description: 'The name of the category.' });
  const input = t.publishedAs(t.untyped(anything), t.untyped({ default: null }));
  const shared = { method: 'GET', access: 'read' } as const;
  const ability = abilityResource(tools);
  const category = categoryResource(tools);
  return [
    route({
      ...shared,
      resource: category,
      path: 'categories',
      summary: 'List the categories of abilities',
      args: pagingArgs(tools),
      handle: ({ args, use }) => onPage(use.abilities.categories(), args),
    }),
    route({
      ...shared,
      resource: category,
      path: 'categories/(?P<slug>[a-z0-9-]+)',
      summary: 'Get a category of abilities',
      args: { slug },
      handle: ({ args, use }) => use.abilities.category(args.slug),
    }),
    route({
      method: methods,
      path: 'abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run',
      summary: 'Run an ability',
      access: on(find, (caller, run) => run.may(run, caller), 'Accounts that may do the same through other routes.'),
      args: { ...name, input },
      answers: { 200: t.untyped({ description: 'Output of the ability, as in its `output_schema`.' }) },
      handle: async ({ record, caller, request, use }) =>
        lasting(withStatus(200, await use.runs.run(record, caller, request)), never),
    }),
    route({
      ...shared,
      resource: ability,
      path: 'abilities',
      summary: 'List the abilities of the site',
      args: { ...pagingArgs(tools), ...filterArgs(tools) },
      handle: ({ args, use }) => onPage(chosen(use.abilities.cards(), args), args),
    }),
    route({
      ...shared,
      resource: ability,
      path: 'abilities/(?P<name>[a-zA-Z0-9\\-\\/]+)',
      summary: 'Get an ability',
      args: name,
      handle: ({ args, use }) => use.abilities.get(args.name).card,
    }),
  ];
}

type Tools = Pick<Toolkit<Served>, 't' | 'context' | 'page'>;
type Meta = Readonly<Record<string, unknown>>;

const pagingArgs = ({ t, context, page }: Tools) => ({
  context: context(),
  page: page(),
  per_page: t.integer({ default: 50, minimum: 1, maximum: 100, description: 'Number of items on a page.' }),
});

function filterArgs({ t }: Tools) {
  const truth = () => t.optional(t.nullable(t.boolean()));
  const annotations = t.optional(
    t.object({ readonly: truth(), destructive: truth(), idempotent: truth() }, { additionalProperties: true }),
  );
  const meta = (more: TProperties) =>
    t.object(
      { annotations, ...more },
      { additionalProperties: true, description: 'Only abilities with all these annotations.' },
    );
  const said = meta({ public: t.optional(t.boolean()), show_in_rest: t.optional(t.boolean()) });
  return {
    category: t.optional(t.string({ description: 'Only abilities of this category.' })),
    namespace: t.optional(
      t.string({ description: 'Only abilities of this namespace, the part of the name before the slash.' }),
    ),
    meta: t.optional(t.publishedAs(meta({}), said)),
  };
}

interface Wanted {
  readonly category?: string;
  readonly namespace?: string;
  readonly meta?: Meta;
}

const chosen = (cards: readonly Card[], { category, namespace, meta = {} }: Wanted): Card[] =>
  cards.filter(
    (card) =>
      (category === undefined || card.category === category) &&
      (namespace === undefined || card.name.startsWith(`${namespace}/`)) &&
      says(card.meta, meta),
  );

const isObject = (value: unknown): value is Meta => typeof value === 'object' && value !== null;

const says = (meta: Meta, wanted: Meta): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const said = Object.hasOwn(meta, name) ? meta[name] : undefined;
    return isObject(value) ? isObject(said) && says(said, value) : said === value;
  });

interface Page {
  readonly page: number;
  readonly per_page: number;
}

const onPage = <Item>(all: readonly Item[], { page, per_page: most }: Page) => ({
  items: all.slice((page - 1) * most, page * most),
  total: all.length,
});
