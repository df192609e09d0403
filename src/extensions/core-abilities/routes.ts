// What may be asked of abilities. The order is that of the index: an address that ends in `run` runs.
import type { Asked } from '#kernel/access.ts';
import { methods, type Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Run } from '#site/hooks/abilities/running.ts';
import { chosen, filterArgs, onPage, pagingArgs } from './listing.ts';
import { abilityResource, categoryResource } from './records.ts';
import type { Served } from './served.ts';

const anything = {
  type: ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'],
  default: null,
  description: 'What it is run with.',
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
      summary: 'What abilities have to do with',
      args: pagingArgs(tools),
      handle: ({ args, use }) => onPage(use.abilities.categories(), args),
    }),
    route({
      ...shared,
      resource: category,
      path: 'categories/(?P<slug>[a-z0-9-]+)',
      summary: 'One category of abilities',
      args: { slug },
      handle: ({ args, use }) => use.abilities.category(args.slug),
    }),
    route({
      method: methods,
      path: 'abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run',
      summary: 'Have something done',
      access: on(find, (caller, run) => run.may(run, caller), 'Accounts that may do the same by other routes.'),
      args: { ...name, input },
      answers: { 200: t.untyped({ description: 'What the ability says in its `output_schema`.' }) },
      handle: async ({ record, caller, request, use }) =>
        lasting(withStatus(200, await use.runs.run(record, caller, request)), never),
    }),
    route({
      ...shared,
      resource: ability,
      path: 'abilities',
      summary: 'What programs may have the site do',
      args: { ...pagingArgs(tools), ...filterArgs(tools) },
      handle: ({ args, use }) => onPage(chosen(use.abilities.cards(), args), args),
    }),
    route({
      ...shared,
      resource: ability,
      path: 'abilities/(?P<name>[a-zA-Z0-9\\-\\/]+)',
      summary: 'One ability',
      args: name,
      handle: ({ args, use }) => use.abilities.get(args.name).card,
    }),
  ];
}
