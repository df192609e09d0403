// What stands behind the routes of this namespace.
import { isLoopback } from '#lib/ip-address.ts';
import type { Content } from '#site/content/content.ts';
import type { Services } from '#site/extension.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { FindUnused } from './abilities/unused.ts';
import type { ShownComments } from './comments/shown-comments.ts';
import type { ShownMedia } from './media/shown-media.ts';
import type { Plugins } from './plugins/plugins.ts';
import type { ShownPosts } from './posts/shown-posts.ts';
import type { ShownRevisions } from './revisions/shown-revisions.ts';
import type { Search } from './search/found.ts';
import type { ShownSettings } from './settings/resource.ts';
import type { ShownTerms } from './terms/shown-terms.ts';
import type { AddedToUsers, ShownUsers, UserSearch } from './users/shown-users.ts';

/** What the handlers use. */
export interface Core {
  readonly identity: Identity;
  /** Users as their records show them. */
  readonly users: ShownUsers;
  /** What extensions add to users, once their routes are served. */
  readonly added: AddedToUsers;
  /** Who the list of users would show somebody, for other extensions. */
  readonly userSearch: UserSearch;
  /** Records as they are kept; as they are shown, below. */
  readonly content: Content;
  readonly posts: ShownPosts;
  readonly media: ShownMedia;
  readonly terms: ShownTerms;
  readonly comments: ShownComments;
  readonly settings: ShownSettings;
  readonly revisions: ShownRevisions;
  readonly search: Search;
  readonly plugins: Plugins;
  readonly unused: FindUnused;
  readonly environment: EnvironmentFacts;
  /** Below which records are changed over the interface. */
  readonly address: string;
  /** Of the program. */
  readonly version: string;
}

/** What the site runs on, in the words that API clients know. */
interface Environment {
  readonly environment: 'production' | 'local';
  readonly php_version: string;
  readonly db_server_info: string;
}

export type EnvironmentFacts = () => Promise<Environment>;

/** A site that only its own machine reaches counts as a local one, because visitors cannot open it. */
export const createEnvironmentFacts =
  ({ store, site }: Pick<Services, 'store' | 'site'>): EnvironmentFacts =>
  async () => ({
    environment: isLoopback(new URL(site.url).hostname) ? 'local' : 'production',
    php_version: `Node.js ${process.versions.node}`,
    db_server_info: await store.release(),
  });
