// Orders for many users at once.
import { randomUUID } from 'node:crypto';
import { withFailureLog } from '../../logs/failing.ts';
import { part } from '../../part.ts';
import { randomText } from '../../random-text.ts';
import type { Order } from './order.ts';
import { userActionRoutes } from './routes.ts';
import { quietUserActionTables, userActionMigrations } from './tables.ts';
import { createUserActions, type UserActions, type UserSearch } from './user-actions.ts';

interface OrdersUse {
  readonly userActions: Pick<UserActions, 'work'>;
}

const userActionsJob = withFailureLog<Order, OrdersUse>({
  name: 'security-suite.user-actions',
  about: 'Signs many users out, has them choose new passwords, adds them to groups',
  serving: true,
  writes: ['user', 'secsuite_group_members'],
  attempts: 5,
  lane: { name: 'security-suite.user-actions', atOnce: 1 },
  run: (order, work, { userActions }) => userActions.work(order, work),
});

export const userActionsPart = part({
  name: 'user-actions',
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
      secret: randomText,
      search: services.needed.userSearch as UserSearch,
      queue: services.queueOf(userActionsJob),
    }),
  }),
  jobs: { kinds: [userActionsJob] },
  routes: ({ tools, gate }) => ({ v1: userActionRoutes(tools, gate.manager) }),
});
