// Orders for many users at once.
import { randomUUID } from 'node:crypto';
import { part } from '../../part.ts';
import { randomText } from '../../random-text.ts';
import { userActionsJob } from './job.ts';
import { userActionRoutes } from './routes.ts';
import { quietUserActionTables, userActionMigrations } from './tables.ts';
import { createUserActions, type UserSearch } from './user-actions.ts';

export const userActionsPart = part({
  name: 'user-actions',
  tables: {
    migrations: userActionMigrations,
    quiet: quietUserActionTables,
    users: { secsuite_user_resets: ['user_id'] },
  },
  make: (services, { base, groups, manage }) => ({
    userActions: createUserActions({
      ...{ ...base, identity: services.identity, groups, manage, unique: randomUUID, secret: randomText },
      search: services.needed.userSearch as UserSearch,
      queue: services.queueOf(userActionsJob),
    }),
  }),
  jobs: { kinds: [userActionsJob] },
  routes: ({ tools, gate }) => ({ v1: userActionRoutes(tools, gate.manager) }),
});
