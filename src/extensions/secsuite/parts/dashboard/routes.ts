// What may be asked of dashboards.
import type { Route } from '#kernel/route.ts';
import { actionRoutes } from './actions.ts';
import { availableRoutes } from './available.ts';
import { boardRoutes } from './boards.ts';
import { buttonRoutes } from './card-actions.ts';
import { cardRoutes } from './card-routes.ts';
import { countRoutes } from './counts.ts';
import { layoutRoutes } from './layout.ts';
import { createMaking, type DashboardWiring, type Tools } from './making.ts';

export function dashboardRoutes(tools: Tools, wiring: DashboardWiring): Route[] {
  const making = createMaking(tools, wiring);
  return [countRoutes, availableRoutes, boardRoutes, layoutRoutes, cardRoutes, actionRoutes, buttonRoutes].flatMap(
    (routes) => routes(making),
  );
}
