// Whether the site is well, as whoever looks after it asks from elsewhere. The command `gatehouse doctor` looks at the same.
import type { Entry } from '#site/extension.ts';
import { routes, type SiteHealth } from './routes.ts';

export const siteHealth: Entry<SiteHealth> = (tools) => ({
  name: 'core-site-health',
  always: true,
  nouns: ({ health, sizes }) => ({ health, sizes }),
  routes: { 'core-site-health/v1': routes(tools) },
});
