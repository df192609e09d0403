// What may be asked of terms: the same of every kind.
import type { Route } from '#kernel/route.ts';
import { category, patternCategory, type Taxonomy, tag } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { listArgs, pageOf, wantedOf } from './listing.ts';
import { termResource } from './record.ts';
import { termRules } from './rules.ts';

export const routes = (tools: Toolkit<Core>): Route[] =>
  [category, tag, patternCategory].flatMap((taxonomy) => termRoutes(tools, taxonomy));

function termRoutes(tools: Toolkit<Core>, taxonomy: Taxonomy): Route[] {
  const { route, t, context, created, deleted, Problem } = tools;
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
      summary: `Add a ${name}`,
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
      summary: `One ${name}`,
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
      summary: `Delete a ${name} for good`,
      access: mayDelete,
      args: {
        ...id,
        force: t.boolean({ default: false, description: 'Has to be true: there is no trash for terms.' }),
      },
      handle: async ({ args: { force }, record, caller, use }) => {
        if (force) return deleted(await use.terms.erase(taxonomy, record, caller));
        throw new Problem(
          501,
          'rest_trash_not_supported',
          'Terms cannot be put in a trash. Send force=true to delete.',
        );
      },
    }),
  ];
}
