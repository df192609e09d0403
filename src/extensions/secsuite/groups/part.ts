// Groups of users, and who manages the suite.

import type { Module, SettingsOf } from '../module.ts';
import { part } from '../part.ts';
import { hidden, settingsCard } from '../setting-schemas.ts';
import { groupRoutes } from './group-routes.ts';
import { matchableRoutes } from './matchable-routes.ts';
import { groupMigrations } from './tables.ts';
import { groupsSource } from './transfer.ts';

const userGroups = {
  id: 'user-groups',
  type: 'recommended',
  standing: 'always-active',
  title: 'User groups',
  description: 'Define groups of users, and choose the protection for each group.',
  help: 'A group has single users, roles, or all users from a role upwards. Users without a group belong to the group of all other users.',
  settings: settingsCard({
    properties: {
      default_groups: hidden({
        type: 'object',
        additionalProperties: { type: 'string', format: 'uuid' },
        default: {},
      }),
    },
  }),
} satisfies Module;

declare module '../settings/types.ts' {
  interface ModuleSettings {
    'user-groups': SettingsOf<typeof userGroups>;
  }
}

export const groupsPart = part({
  name: 'groups',
  modules: [userGroups],
  tables: {
    migrations: groupMigrations,
    users: { secsuite_group_members: ['user_id'] },
    leftOut: { secsuite_user_groups: ['secsuite_groups', 'secsuite_group_members'] },
  },
  on: { 'user.deleted': ({ user }, { groups }) => groups.forget(user.id) },
  start: ({ firstGroups }) => firstGroups(),
  transfers: ({ groups }) => [groupsSource(groups)],
  routes: ({ tools, gate, roles, listed, hrefOf }) => {
    const wiring = { ...gate, roles, listed, hrefOf };
    return { v1: [...groupRoutes(tools, wiring), ...matchableRoutes(tools, wiring)] };
  },
});
