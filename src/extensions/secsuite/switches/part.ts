// Which modules are on.

import { part } from '../part.ts';
import { moduleRoutes } from './routes.ts';
import { switchMigrations } from './tables.ts';
import { modulesSource } from './transfer.ts';

export const switchesPart = part({
  name: 'switches',
  tables: { migrations: switchMigrations },
  transfers: ({ switches }) => [modulesSource(switches)],
  routes: ({ tools, gate }) => ({ v1: moduleRoutes(tools, gate.manager) }),
});
