// What may be asked of everything that settings may list, and of what is on for it.
import { errorBody, Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Behalf } from '../base.ts';
import { matchableResource, settingsPath, switchResource } from './fields.ts';
import type { Managed, Wiring } from './group-routes.ts';
import type { Matchables } from './groups.ts';
import type { MatchableSettings } from './matchable-settings.ts';

export interface MatchablesUse extends Managed {
  readonly matchables: Matchables;
  readonly matchableSettings: MatchableSettings;
}

const all = 'user-matchable-settings' as const;
const one = 'user-matchable-settings/(?P<id>.*)' as const;

export function matchableRoutes(tools: Toolkit<MatchablesUse>, wiring: Wiring): Route[] {
  const { route, t, context, withStatus } = tools;
  const include = t.optional(t.list(t.string(), { description: 'Only these, by id.' }));
  const id = { id: t.string() };
  const resource = switchResource(tools, wiring.listed);
  const shared = { access: wiring.manager, resource } as const;

  return [
    route({
      method: 'GET',
      path: 'user-matchables',
      summary: 'List the user groups, and the group of all other users',
      access: wiring.managerOr(contentErrors.cannotView),
      resource: matchableResource(tools),
      several: 'list',
      handle: ({ use }) => use.matchables.list(),
    }),
    route({
      method: 'GET',
      path: all,
      summary: 'List the settings of each group',
      ...shared,
      args: { context: context(), include },
      several: 'map',
      handle: ({ args, use }) => withStatus(200, use.matchableSettings.list(args.include)),
    }),
    route({
      method: 'PATCH',
      path: all,
      summary: 'Change the same settings of several groups',
      ...shared,
      args: { ...resource.updateArgs, context: context(), include },
      answers: {
        207: t.list(
          t.object({
            href: t.string(),
            status: t.integer(),
            response: t.optional(t.free()),
            error: t.optional(t.free()),
          }),
        ),
      },
      handle: async ({ args: { context: _, include: wanted, ...said }, caller, use, request }) => {
        const ids = [...new Set((wanted as readonly string[] | undefined) ?? use.matchables.ids)];
        const hrefOf = (group: string): string => wiring.hrefOf(request.face, settingsPath(group));
        return withStatus(207, await changeEach(use, { ids, said, hrefOf }, use.manage.behalfOf(caller)));
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get the settings of a group',
      ...shared,
      batch: true,
      args: { ...id, context: context() },
      handle: ({ args, use }) => withStatus(200, use.matchableSettings.of(args.id)),
    }),
    route({
      method: 'PUT',
      path: one,
      summary: 'Change the settings of a group',
      ...shared,
      batch: true,
      args: { ...id, ...resource.updateArgs },
      handle: async ({ args: { id: group, ...said }, caller, use }) =>
        withStatus(200, await use.matchableSettings.change(group as string, said, use.manage.behalfOf(caller))),
    }),
  ];
}

interface Many {
  readonly ids: readonly string[];
  readonly said: Readonly<Record<string, unknown>>;
  hrefOf(id: string): string;
}

/** One after another: that one is refused keeps no other from being changed. */
async function changeEach(use: MatchablesUse, { ids, said, hrefOf }: Many, behalf: Behalf): Promise<object[]> {
  const answers: object[] = [];
  for (const id of ids) {
    const href = hrefOf(id);
    try {
      answers.push({ href, status: 200, response: await use.matchableSettings.change(id, said, behalf) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const body = errorBody(error, false);
      answers.push({ href, status: body.data.status, error: body });
    }
  }
  return answers;
}
