// Groups of users, and who manages the suite.

import { groupRoutes } from '../../groups/group-routes.ts';
import { matchableRoutes } from '../../groups/matchable-routes.ts';
import { userGroups } from '../../groups/settings.ts';
import { groupMigrations } from '../../groups/tables.ts';
import { part } from '../../part.ts';

export const groupsPart = part({
  name: 'groups',
  modules: [userGroups],
  tables: {
    migrations: groupMigrations,
    users: { secsuite_group_members: ['user_id'] },
    leftOut: { secsuite_user_groups: ['secsuite_groups', 'secsuite_group_members'] },
  },
  routes: ({ tools, gate, roles, listed, hrefOf }) => {
    const wiring = { ...gate, roles, listed, hrefOf };
    return { v1: [...groupRoutes(tools, wiring), ...matchableRoutes(tools, wiring)] };
  },
});
