// All that the suite serves, in the order of its index. What a module owns is there while the module runs.
import { apiUrl } from '#kernel/faces.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { createRoles, type DeclaredRoles } from '#site/identity/roles.ts';
import { gateOf } from './access.ts';
import { actorRoutes } from './actors/routes.ts';
import { banRoutes } from './bans/routes.ts';
import type { BanSeams } from './bans/seams.ts';
import { detectIpRoutes } from './client/detect-ip.ts';
import { configRulesRoutes } from './config-rules/routes.ts';
import { discoverRoutes } from './discover/routes.ts';
import { firewallRoutes } from './firewall/routes.ts';
import { geolocationRoutes } from './geolocation/routes.ts';
import { groupRoutes } from './groups/group-routes.ts';
import { matchableRoutes } from './groups/matchable-routes.ts';
import { lockoutRoutes } from './lockouts/routes.ts';
import { statisticsRoutes } from './lockouts/statistics-routes.ts';
import { logRoutes } from './logs/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { settingRoutes } from './settings/routes.ts';
import { siteTypeRoutes } from './site-types/routes.ts';
import type { Suite } from './suite.ts';
import { moduleRoutes } from './switches/routes.ts';
import { toolRoutes } from './tools/routes.ts';
import { userActionRoutes } from './user-actions/routes.ts';
import { usually } from './usual.ts';

type Served = Readonly<Record<string, readonly Route[]>>;

/** Without nouns, as a site begins: with the roles that its deployment declares. */
export function routes(tools: Toolkit<Suite>, suite: Suite | undefined, declared: DeclaredRoles): Served {
  const { manages, judge, manager, managerOr } = gateOf(tools, suite?.manage);
  const isRunning = suite?.switches.isRunning ?? usually.isRunning;
  const wiring = {
    ...{ judge, manager, managerOr },
    roles: suite?.roles ?? createRoles(declared, new Set()),
    listed: suite?.lists() ?? usually.lists,
    hrefOf: (face: 'neutral' | 'classic', path: string) => (suite ? apiUrl(suite.roots, face, path) : path),
  };
  const seams: BanSeams<Suite> = {
    banning: ({ banning }) => banning,
    ...{ manages, managerOr, viewer: managerOr('rest_cannot_view') },
    behalf: (caller, { manage }) => manage.behalfOf(caller),
  };
  const bans = banRoutes(tools, seams);
  return {
    'secsuite/rpc': [
      ...(isRunning('ban-users') ? bans.addMany : []),
      ...detectIpRoutes(tools, manager),
      ...notificationRoutes(tools, manager),
      ...statisticsRoutes(tools, manager),
      ...configRulesRoutes(tools, manager),
      ...discoverRoutes(tools, manager),
    ],
    'secsuite/v1': [
      ...bans.list,
      ...(isRunning('ban-users') && (suite?.banning.isListed() ?? true) ? bans.database : []),
      ...moduleRoutes(tools, manager),
      ...settingRoutes(tools, manager),
      ...siteTypeRoutes(tools, manager),
      ...toolRoutes(tools, manager),
      ...userActionRoutes(tools, manager),
      ...logRoutes(tools, manager),
      ...geolocationRoutes(tools, manager),
      ...lockoutRoutes(tools, manager, seams),
      ...noticeRoutes(tools, { manager, manages }),
      ...actorRoutes(tools, { mayMakeDashboards: (caller) => suite?.manage.mayMakeDashboards(caller) === true }),
      ...(isRunning('firewall') ? firewallRoutes(tools, manager) : []),
      ...groupRoutes(tools, wiring),
      ...matchableRoutes(tools, wiring),
    ],
  };
}
