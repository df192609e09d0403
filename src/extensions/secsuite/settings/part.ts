// The settings of all modules, and the key that seals the secrets among them.
import { suiteErrors } from '../errors.ts';
import { dismissal, linkTo } from '../notices/notice.ts';
import { part } from '../part.ts';
import { settingRoutes } from './routes.ts';
import { settingsMigrations } from './tables.ts';
import { settingsSource } from './transfer.ts';

export const settingsPart = part({
  name: 'settings',
  // Those that several parts raise.
  errors: suiteErrors,
  tables: { migrations: settingsMigrations },
  start: ({ paths }) => paths.warn(),
  transfers: ({ settings, switches, groups, manage }) => [
    settingsSource({
      settings,
      modules: switches.modules,
      async viewOf({ tx, behalf }) {
        const [matchables, isActive] = await Promise.all([groups.matchablesIn(tx), switches.activeIn(tx)]);
        const wouldManage = (list: readonly string[]) => manage.wouldAllow(list, behalf.caller, matchables);
        return { behalf: { wouldManage, ...behalf }, isGroup: matchables.has, isActive };
      },
    }),
  ],
  routes: ({ tools, gate }) => ({ v1: settingRoutes(tools, gate.manager) }),
  notices: [
    async ({ secretsKey }, { dismiss }) => {
      if (!(await secretsKey.hasUnreadable())) return undefined;
      const id = 'encryption-key-changed';
      return {
        id,
        severity: 'error',
        title: 'Secrets cannot be decrypted',
        message:
          'Keys and passwords in the settings are encrypted with a key that this site does not have. Set them again.',
        actions: { dismiss: dismissal(id, dismiss), set: linkTo('See the tools', '/tools#set-encryption-key') },
      };
    },
  ],
});
