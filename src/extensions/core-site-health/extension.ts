// Whether the site is well, as whoever looks after it asks from elsewhere. The command `gatehouse doctor` looks at the same.
import type { Entry } from '#site/extension.ts';
import { abilities } from './abilities.ts';
import type { SiteHealth } from './looking.ts';
import { routes } from './routes.ts';

export const siteHealth: Entry<SiteHealth> = (tools) => ({
  name: 'core-site-health',
  always: true,
  nouns: ({ health, sizes }) => ({ health, sizes }),
  abilities: abilities(tools),
  routes: { 'core-site-health/v1': routes(tools) },
});
