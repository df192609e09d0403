// What may be asked about modules.
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Managed, managerOr, type Wiring, whoManages } from '../groups/asking.ts';
import { moduleResource, selections, shownModule } from './record.ts';
import type { Switches } from './types.ts';

export interface Switching extends Managed {
  readonly switches: Switches;
}

export function moduleRoutes<Use extends Switching>(tools: Toolkit<Use>, wiring: Pick<Wiring, 'manages'>): Route[] {
  const { route, t, context, when } = tools;
  const resource = moduleResource(tools);
  const manager = managerOr(wiring, tools);
  const access = when((caller) => manager(caller), whoManages);
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
