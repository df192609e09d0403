// The settings of all modules, and the key that seals the secrets among them.
import { dismissal, linkTo } from '../../notices/notice.ts';
import { part } from '../../part.ts';
import { settingRoutes } from '../../settings/routes.ts';
import { settingsMigrations } from '../../settings/tables.ts';

export const settingsPart = part({
  name: 'settings',
  tables: { migrations: settingsMigrations },
  routes: ({ tools, gate }) => ({ v1: settingRoutes(tools, gate.manager) }),
  notices: [
    async ({ secretsKey }, { dismiss }) => {
      if (!(await secretsKey.hasUnreadable())) return undefined;
      const id = 'encryption-key-changed';
      return {
        id,
        severity: 'error',
        title: 'Secrets cannot be read',
        message:
          'Keys and passwords among the settings were sealed with a key that this site has not got. Please set them again.',
        actions: { dismiss: dismissal(id, dismiss), set: linkTo('See the tools', '/tools#set-encryption-key') },
      };
    },
  ],
});
