// IP addresses that are kept out until somebody lifts the ban.

import type { Module, SettingsOf } from '../module.ts';
import { part } from '../part.ts';
import { flag, forAll, settingsCard, when } from '../setting-schemas.ts';
import { banSeams } from './open.ts';
import { banRoutes } from './routes.ts';
import { banMigrations, quietBanTables } from './tables.ts';
import { bansSource } from './transfer.ts';

const whileListed = when({ enable_ban_lists: [true] });

const banUsers = {
  id: 'ban-users',
  type: 'lockout',
  standing: 'default-active',
  keywords: ['blacklist'],
  title: 'Bans',
  description: 'Bans IP addresses, IP ranges and user agents permanently.',
  help: 'Banned visitors cannot see the site. Trusted IP addresses are never banned.',
  requirements: { ip: { validate: 'run', showMessageIfUnmet: true } },
  settings: settingsCard({
    properties: {
      default: flag(
        false,
        'Ban known attack tools',
        'Adds a list of user agents of known attack tools to the rules of the web server.',
      ),
      enable_ban_lists: flag(
        true,
        'Own lists',
        'Refuses requests from the bans and user agents on the lists of this site.',
      ),
      server_config_limit: {
        type: 'integer',
        minimum: 0,
        maximum: 9999,
        default: 100,
        title: 'Bans in the rules of the web server',
        description: 'Number of newest bans in the rules of the web server. The site itself refuses all other bans.',
      },
      agent_list: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        uniqueItems: true,
        default: [],
        title: 'Banned user agents',
        description: 'One on each line: the beginning of the user agent.',
      },
    },
    uiSchema: {
      'ui:sections': [{ title: 'Lists', fields: ['enable_ban_lists', 'server_config_limit', 'agent_list'] }],
      agent_list: { 'ui:field': 'TextareaListField', 'ui:rows': 10 },
    },
    conditional: forAll(['server_config_limit', 'agent_list'], whileListed),
  }),
} satisfies Module;

declare module '../settings/types.ts' {
  interface ModuleSettings {
    'ban-users': SettingsOf<typeof banUsers>;
  }
}

export const bansPart = part({
  name: 'bans',
  modules: [banUsers],
  tables: {
    migrations: banMigrations,
    quiet: quietBanTables,
    leftOut: { secsuite_bans: ['secsuite_bans', 'secsuite_bans_lifted'] },
  },
  counters: async ({ enforced }) => ({ bans: enforced.size }),
  transfers: ({ bans }) => [bansSource(bans)],
  routes: ({ tools, gate, use, isRunning }) => {
    const routes = banRoutes(tools, banSeams(gate));
    const isOn = isRunning('ban-users');
    const isListed = isOn && (use?.banning.isListed() ?? true);
    return { rpc: isOn ? routes.addMany : [], v1: [...routes.list, ...(isListed ? routes.database : [])] };
  },
});
