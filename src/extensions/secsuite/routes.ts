// All that the suite serves, in the order of its index. What a module owns is there while the module runs.
import { apiUrl } from '#kernel/faces.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { gateOf } from './access.ts';
import { actorRoutes } from './actors/routes.ts';
import { groupRoutes } from './groups/group-routes.ts';
import { matchableRoutes } from './groups/matchable-routes.ts';
import { logRoutes } from './logs/routes.ts';
import { settingRoutes } from './settings/routes.ts';
import { siteTypeRoutes } from './site-types/routes.ts';
import type { Suite } from './suite.ts';
import { moduleRoutes } from './switches/routes.ts';
import { userActionRoutes } from './user-actions/routes.ts';
import { usually } from './usual.ts';

type Served = Readonly<Record<string, readonly Route[]>>;

/** Without nouns, as a site begins. */
export function routes(tools: Toolkit<Suite>, suite: Suite | undefined): Served {
  const { manages, manager } = gateOf(tools, suite?.manage);
  const wiring = {
    manages,
    roles: suite?.roles ?? usually.roles,
    listed: suite?.lists() ?? usually.lists,
    hrefOf: (face: 'neutral' | 'classic', path: string) => (suite ? apiUrl(suite.roots, face, path) : path),
  };
  return {
    'secsuite/rpc': [],
    'secsuite/v1': [
      ...moduleRoutes(tools, manager),
      ...settingRoutes(tools, manager),
      ...siteTypeRoutes(tools, manager),
      ...userActionRoutes(tools, wiring),
      ...logRoutes(tools, manager),
      ...actorRoutes(tools, { mayMakeDashboards: (caller) => suite?.manage.mayMakeDashboards(caller) === true }),
      ...groupRoutes(tools, wiring),
      ...matchableRoutes(tools, wiring),
    ],
  };
}
