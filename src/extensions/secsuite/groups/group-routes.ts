// What may be asked of groups of users.
import type { Face } from '#kernel/faces.ts';
import type { Denial } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import { groupPath, groupResource } from './fields.ts';
import type { Group } from './group.ts';
import { type Groups, type NewGroup, Twins } from './groups.ts';
import type { ListedModule } from './listed.ts';
import { type Gate, type Manage, whoManages } from './manage.ts';
import type { MatchableSettings } from './matchable-settings.ts';

export interface GroupsUse extends Managed {
  readonly groups: Groups;
  readonly matchableSettings: Pick<MatchableSettings, 'inherit'>;
}

const one = 'user-groups/(?P<id>[\\w_:-]+)' as const;
const version4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

interface Seen {
  readonly context?: string;
}

interface ById {
  readonly id: string;
}

export function groupRoutes(tools: Toolkit<GroupsUse>, wiring: Wiring): Route[] {
  const { route, t, context, on, when, created, withStatus } = tools;
  const resource = groupResource(tools, wiring.roles);
  const { judge } = wiring;
  const seeing = ({ context: shown }: Seen) =>
    shown === 'edit' ? contentErrors.forbiddenContext : contentErrors.cannotView;
  /** Nobody else is told whether there is such a group. */
  const judged = <A extends Seen>(denial: (args: A) => Denial) =>
    on<Group | undefined, GroupsUse, ById, A>(
      find,
      (caller, group, args) => {
        const verdict = judge(caller, denial(args as A));
        return verdict === true && group === undefined ? suiteErrors.notFound('This user group') : verdict;
      },
      whoManages,
    );
  const twinsAnswer = ({ ids }: Twins, face: Face) =>
    withStatus(400, {
      code: 'rest_duplicate_user_group',
      message: 'A group with the same users and roles exists already.',
      data: { status: 400 },
      _links: { duplicate: ids.map((id) => ({ href: wiring.hrefOf(face, groupPath(id)) })) },
    });
  const id = { id: t.string() };

  return [
    route({
      method: 'GET',
      path: 'user-groups',
      summary: 'List user groups, oldest first',
      access: when((caller, args: Seen) => judge(caller, seeing(args)), whoManages),
      resource,
      args: { context: context() },
      several: 'list',
      handle: ({ use }) => use.groups.list(),
    }),
    route({
      method: 'POST',
      path: 'user-groups',
      summary: 'Create a user group',
      access: wiring.managerOr(contentErrors.cannotCreate),
      resource,
      batch: true,
      args: { ...resource.createArgs, ignore_duplicate: t.optional(t.boolean()) },
      payload: t.object({ id: t.optional(t.string({ pattern: version4 })) }),
      handle: async ({ args, payload, caller, use, request }) => {
        const made = await addGroup(use, { ...args, ...payload }, use.manage.behalfOf(caller));
        return made instanceof Twins ? twinsAnswer(made, request.face) : created(made);
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get a user group',
      access: judged(seeing),
      resource,
      batch: true,
      args: { ...id, context: context() },
      handle: ({ record }) => record as Group,
    }),
    route({
      method: 'PUT',
      path: one,
      summary: 'Change a user group',
      access: judged(() => contentErrors.cannotEdit),
      resource,
      batch: true,
      args: { ...id, ...resource.updateArgs },
      handle: ({ args: { id: group, ...said }, caller, use }) =>
        use.groups.change(group, said, use.manage.behalfOf(caller)),
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Delete a user group; its users stay',
      access: judged(() => contentErrors.cannotDelete),
      resource,
      batch: true,
      args: id,
      handle: async ({ args, caller, use }) => {
        await use.groups.remove(args.id, use.manage.behalfOf(caller));
        return null;
      },
    }),
  ];
}

const find = ({ id }: ById, { groups }: GroupsUse) => groups.find(id);

/** A new group starts with the settings of everybody else. If they cannot be set for it, the group is not created. */
interface Needs {
  readonly groups: Pick<Groups, 'add' | 'remove'>;
  readonly matchableSettings: Pick<MatchableSettings, 'inherit'>;
}

interface Wanted extends NewGroup {
  /** Whether it matters that there is one like it. */
  readonly ignore_duplicate?: boolean;
}

async function addGroup(
  { groups, matchableSettings }: Needs,
  { ignore_duplicate, ...wanted }: Wanted,
  behalf: Behalf,
): Promise<Group | Twins> {
  const made = await groups.add(wanted, behalf, ignore_duplicate);
  if (made instanceof Twins) return made;
  try {
    await matchableSettings.inherit(made.id);
  } catch (error) {
    await groups.remove(made.id);
    throw error;
  }
  return made;
}

/** What the routes about groups and what belongs to them are made with, before anybody asks. */
export interface Wiring extends Pick<Gate, 'judge' | 'manager' | 'managerOr'> {
  readonly roles: Roles;
  /** The settings that list groups, of the modules that run now. */
  readonly listed: readonly ListedModule[];
  /** The address of a path of the interface, as this face spells it. */
  hrefOf(face: Face, path: string): string;
}

export interface Managed {
  readonly manage: Pick<Manage, 'behalfOf'>;
}
