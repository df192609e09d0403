// The namespace every client of this family of interfaces begins with. What it serves are the site's own nouns.
import { createAuthors } from '#site/content/authors/authors.ts';
import { createKinds } from '#site/content/types.ts';
import type { Entry } from '#site/extension.ts';
import { routes as applicationPasswords } from './application-passwords/routes.ts';
import type { Core } from './core.ts';
import { routes as users } from './users/routes.ts';
import { createShownUsers } from './users/shown-users.ts';

export const core: Entry<Core> = (tools) => ({
  name: 'core',
  always: true,
  nouns: ({ identity, about, store }) => ({
    identity,
    users: createShownUsers(identity, about, createAuthors({ store, kinds: createKinds() })),
  }),
  routes: { 'core/v2': [...users(tools), ...applicationPasswords(tools)] },
});
