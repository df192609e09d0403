// What managers have done with many users at once.
import type { Access } from '#kernel/access.ts';
import { describeArgs } from '#kernel/args/descriptor.ts';
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { UserActions } from './user-actions.ts';

export interface UserActionsUse {
  readonly userActions: Pick<UserActions, 'order'>;
}

export function userActionRoutes(
  { route, t }: Toolkit<UserActionsUse>,
  manager: Access<undefined, UserActionsUse, object>,
): Route[] {
  const yes = () => t.optional(Object.assign(t.boolean(), { enum: [true] }));
  const actions = t.object(
    {
      'force-logout': yes(),
      'reset-password': yes(),
      'add-user-groups': t.optional(t.list(t.string({ format: 'uuid' }))),
    },
    { minProperties: 1, additionalProperties: false },
  );
  const args = { users: t.optional(t.list(t.integer())), query: t.optional(t.free()), actions };
  return [
    route({
      method: 'POST',
      path: 'user-actions',
      summary: 'Sign users out, have them choose a new password, add them to groups',
      access: manager,
      args,
      form: { title: 'secsuite-user-actions', type: 'object', properties: membersOf(args) },
      answers: { 204: null },
      handle: async ({ args, caller, use, request }) => {
        await use.userActions.order(args as never, caller, request.address);
        return null;
      },
    }),
  ];
}

/** The arguments as members of a form: what need not be there is not said of each. */
const membersOf = (args: TProperties) =>
  Object.fromEntries(
    Object.entries(describeArgs(args, [])).map(([name, { required, ...member }]) => [
      name,
      { ...member, ...(required === true && { required }) },
    ]),
  );
