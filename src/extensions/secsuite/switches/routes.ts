// What may be asked about modules.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { BehalfSource } from '../behalf.ts';
import { moduleResource, selections, shownModule } from './record.ts';
import type { Switches } from './types.ts';

interface Switching {
  readonly switches: Switches;
  readonly manage: BehalfSource;
}

export function moduleRoutes(tools: Toolkit<Switching>, access: Access<undefined, Switching, object>): Route[] {
  const { route, t, context } = tools;
  const resource = moduleResource(tools);
  const path = 'modules/(?P<id>[\\w-]+)';
  return [
    route({
      method: 'GET',
      path: 'modules',
      summary: 'The modules of the security suite, in the order they are registered',
      access,
      resource,
      args: {
        context: context(),
        status: t.optional(t.choice(selections, { description: 'Only those that are on, or off.' })),
      },
      several: 'list',
      handle: ({ args: { status }, use: { switches } }) =>
        switches.modules.all
          .map(({ id }) => shownModule(switches, id))
          .filter(({ isActive }) => status === undefined || isActive === (status === 'active')),
    }),
    route({
      method: 'GET',
      path,
      summary: 'One module',
      access,
      resource,
      batch: true,
      args: { context: context() },
      handle: ({ path: { id }, use }) => shownModule(use.switches, id),
    }),
    route({
      method: 'PUT',
      path,
      summary: 'Switch a module on or off',
      access,
      resource,
      batch: true,
      args: resource.updateArgs,
      handle: async ({ args, path: { id }, caller, use: { switches, manage } }) => {
        const selected = args.status?.selected;
        if (selected !== undefined) await switches.set(id, selected === 'active', manage.behalfOf(caller));
        return shownModule(switches, id);
      },
    }),
  ];
}
