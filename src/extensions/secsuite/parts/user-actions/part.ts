// Orders for many users at once.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Access } from '#kernel/access.ts';
import { describeArgs } from '#kernel/args/descriptor.ts';
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { withFailureLog } from '../../logs/failing.ts';
import { part } from '../../part.ts';
import { quietUserActionTables, userActionMigrations } from './tables.ts';
import { createUserActions, type Order, type UserActions, userActionsErrors } from './user-actions.ts';

interface UserActionsUse {
  readonly userActions: Pick<UserActions, 'order'>;
}

function userActionRoutes(
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
      summary: 'Sign out users, require a new password, or add users to groups',
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

interface OrdersUse {
  readonly userActions: Pick<UserActions, 'work'>;
}

const userActionsJob = withFailureLog<Order, OrdersUse>({
  name: 'security-suite.user-actions',
  about: 'Signs out many users, requires new passwords, or adds users to groups',
  serving: true,
  writes: ['user', 'secsuite_group_members'],
  attempts: 5,
  lane: { name: 'security-suite.user-actions', atOnce: 1 },
  run: (order, work, { userActions }) => userActions.work(order, work),
});

export const userActionsPart = part({
  name: 'user-actions',
  errors: userActionsErrors,
  tables: {
    migrations: userActionMigrations,
    quiet: quietUserActionTables,
    users: { secsuite_user_resets: ['user_id'] },
  },
  make: (services, { base, groups, manage }) => ({
    userActions: createUserActions({
      ...base,
      identity: services.identity,
      groups,
      manage,
      unique: randomUUID,
      secret: (length) => randomBytes(length).toString('base64url').slice(0, length),
      search: services.needed.userSearch,
      queue: services.queueOf(userActionsJob),
    }),
  }),
  jobs: { kinds: [userActionsJob] },
  routes: ({ tools, gate }) => ({ v1: userActionRoutes(tools, gate.manager) }),
});
