// IP addresses that are kept out until somebody lifts the ban.

import { banRoutes } from '../../bans/routes.ts';
import { banSeams } from '../../bans/seams.ts';
import { banUsers } from '../../bans/settings.ts';
import { banMigrations, quietBanTables } from '../../bans/tables.ts';
import { part } from '../../part.ts';

export const bansPart = part({
  name: 'bans',
  modules: [banUsers],
  tables: {
    migrations: banMigrations,
    quiet: quietBanTables,
    leftOut: { secsuite_bans: ['secsuite_bans', 'secsuite_bans_lifted'] },
  },
  counters: async ({ enforced }) => ({ bans: enforced.size }),
  routes: ({ tools, gate, use, isRunning }) => {
    const routes = banRoutes(tools, banSeams(gate));
    const isOn = isRunning('ban-users');
    const isListed = isOn && (use?.banning.isListed() ?? true);
    return { rpc: isOn ? routes.addMany : [], v1: [...routes.list, ...(isListed ? routes.database : [])] };
  },
});
