// Users and reasons for lockouts that may have caused something.

import { part } from '../../part.ts';
import { createActors } from './actors.ts';
import { actorRoutes } from './routes.ts';

export const actorsPart = part({
  name: 'actors',
  make: ({ identity }, { running }) => ({
    actors: createActors({ users: identity.users, lockouts: () => running().flatMap(({ lockouts = [] }) => lockouts) }),
  }),
  routes: ({ tools, use }) => ({
    v1: actorRoutes(tools, { mayMakeDashboards: (caller) => use?.manage.mayMakeDashboards(caller) === true }),
  }),
});
