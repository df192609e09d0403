// The namespace every client of this family of interfaces begins with. What it serves are the site's own nouns.
import type { Entry } from '#site/extension.ts';
import { routes as applicationPasswords } from './application-passwords/routes.ts';
import type { Core } from './core.ts';
import { routes as users } from './users/routes.ts';
import { createShownUsers } from './users/shown-users.ts';

export const core: Entry<Core> = (tools) => ({
  name: 'core',
  always: true,
  nouns: ({ identity, about }) => ({ identity, users: createShownUsers(identity, about) }),
  routes: { 'core/v2': [...users(tools), ...applicationPasswords(tools)] },
});
