// Other sites that run the suite.

import { part } from '../../part.ts';
import { createDiscover } from './discover.ts';
import { discoverRoutes } from './routes.ts';

export const discoverPart = part({
  name: 'discover',
  make: (services) => ({ discover: createDiscover({ ...services, site: services.site.url }) }),
  routes: ({ tools, gate }) => ({ rpc: discoverRoutes(tools, gate.manager) }),
});
