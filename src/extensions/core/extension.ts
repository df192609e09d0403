// The namespace every client of this family of interfaces begins with. What it serves are the site's own nouns.
import type { Route } from '#kernel/route.ts';
import { discussionGroup } from '#site/content/comments/discussion.ts';
import type { Extras } from '#site/content/extending.ts';
import { block, type ContentType, navigation, page, post } from '#site/content/types.ts';
import type { Entry, Services, Toolkit } from '#site/extension.ts';
import { abilities } from './abilities/all.ts';
import { createUnused } from './abilities/unused.ts';
import { routes as applicationPasswords } from './application-passwords/routes.ts';
import { blockRenderer } from './block-renderer/routes.ts';
import { routes as comments } from './comments/routes.ts';
import { createShownComments } from './comments/shown-comments.ts';
import { type Core, createEnvironmentFacts } from './core.ts';
import { coreErrors } from './errors.ts';
import { routes as kinds } from './kinds/routes.ts';
import { routes as media } from './media/routes.ts';
import { createShownMedia } from './media/shown-media.ts';
import { createPlugins } from './plugins/plugins.ts';
import { routes as plugins } from './plugins/routes.ts';
import { postRoutes, servedOf } from './posts/routes.ts';
import { createShownPosts } from './posts/shown-posts.ts';
import { routes as revisions } from './revisions/routes.ts';
import { createShownRevisions } from './revisions/shown-revisions.ts';
import { createSearch } from './search/found.ts';
import { routes as search } from './search/routes.ts';
import { createShownSettings } from './settings/resource.ts';
import { routes as settings } from './settings/routes.ts';
import { blocks, empty, globalStyles, themes } from './stubs/routes.ts';
import { routes as terms } from './terms/routes.ts';
import { createShownTerms } from './terms/shown-terms.ts';
import { createUserSearch } from './users/listing.ts';
import { routes as users } from './users/routes.ts';
import { createShownUsers } from './users/shown-users.ts';

export const core: Entry<Core> = (tools) => ({
  name: 'core',
  always: true,
  errors: coreErrors,
  settings: [discussionGroup],
  provides: ['userSearch'],
  nouns: (services) => nouns(services, tools),
  abilities: abilities(tools),
  routes: (extras) => ({ 'core/v2': routes(tools, extras) }),
});

function nouns(services: Services, tools: Toolkit<Core>): Core {
  const { identity, about, content, site } = services;
  return {
    identity,
    users: createShownUsers(identity, about, content.authors),
    userSearch: createUserSearch(tools, identity.users, content.authors),
    content,
    posts: createShownPosts(content, identity),
    media: createShownMedia(content, identity),
    terms: createShownTerms({ ...content, doing: identity.doing }),
    comments: createShownComments(content, identity, about),
    settings: createShownSettings(services),
    revisions: createShownRevisions({ ...content, identity, url: site.url }),
    search: createSearch({ content }),
    plugins: createPlugins({ extensions: services.extensions, doing: identity.doing }),
    unused: createUnused(services),
    environment: createEnvironmentFacts(services),
    address: site.records,
    version: services.program.version,
  };
}

/** In the order of the index. */
const routes = (tools: Toolkit<Core>, extras: Extras): Route[] => [
  ...[post, page].flatMap((type) => written(tools, type, extras)),
  ...media(tools, extras),
  ...[block, navigation, ...extras.types].flatMap((type) => written(tools, type, extras)),
  ...kinds(tools, extras.types),
  ...terms(tools),
  ...users(tools),
  ...applicationPasswords(tools),
  ...comments(tools),
  ...search(tools, extras.types),
  ...blockRenderer(tools),
  ...blocks(tools),
  ...settings(tools),
  ...themes(tools),
  ...plugins(tools),
  ...empty(tools),
  ...globalStyles(tools),
];

const written = (tools: Toolkit<Core>, type: ContentType, extras: Extras): Route[] => [
  ...postRoutes(tools, type, extras),
  ...revisions(tools, servedOf(type)),
];
