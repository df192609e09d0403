// The namespace every client of this family of interfaces begins with. What it serves are the site's own nouns.
import { createAuthors } from '#site/content/authors/authors.ts';
import { createPermalinks } from '#site/content/permalinks.ts';
import { findPost } from '#site/content/posts/rows.ts';
import { createContentRights } from '#site/content/rights.ts';
import { createTerms } from '#site/content/terms/terms.ts';
import { createKinds } from '#site/content/types.ts';
import type { Entry, Services } from '#site/extension.ts';
import { routes as applicationPasswords } from './application-passwords/routes.ts';
import type { Core } from './core.ts';
import { routes as settings } from './settings/routes.ts';
import { createShownSettings } from './settings/shown-settings.ts';
import { routes as terms } from './terms/routes.ts';
import { createShownTerms } from './terms/shown-terms.ts';
import { routes as users } from './users/routes.ts';
import { createShownUsers } from './users/shown-users.ts';

export const core: Entry<Core> = (tools) => ({
  name: 'core',
  always: true,
  nouns: (services) => ({
    identity: services.identity,
    users: createShownUsers(
      services.identity,
      services.about,
      createAuthors({ store: services.store, kinds: createKinds() }),
    ),
    terms: shownTerms(services),
    settings: createShownSettings(services),
  }),
  routes: { 'core/v2': [...users(tools), ...applicationPasswords(tools), ...terms(tools), ...settings(tools)] },
});

function shownTerms({ store, events, settings, siteGroup, site, identity }: Services) {
  const kinds = createKinds();
  const find = (id: number) => findPost(store.db, id);
  const frontPage = async () => (await settings.read(siteGroup)).page_on_front;
  return createShownTerms({
    terms: createTerms({ store, kinds, events, settings, siteGroup }),
    posts: { find },
    rights: createContentRights(kinds, find),
    permalinks: createPermalinks({ db: store.db, kinds, url: site.url, frontPage }),
    doing: identity.doing,
  });
}
