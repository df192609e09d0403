// Questions of the first set-up.
import { randomUUID } from 'node:crypto';
import { headers } from '../../client/headers.ts';
import { part } from '../../part.ts';
import { siteTypeRoutes } from './routes.ts';
import { createSiteTypes } from './site-types.ts';

export const siteTypesPart = part({
  name: 'site-types',
  make: ({ identity, operator }, { switches }) => ({
    siteTypes: createSiteTypes({
      users: identity.users,
      isActive: switches.isActive,
      unique: randomUUID,
      headerNames: Object.keys(headers),
      recommended: operator.security.siteKind,
    }),
  }),
  routes: ({ tools, gate }) => ({ v1: siteTypeRoutes(tools, gate.manager) }),
});
