// What stands behind the routes of this namespace.

import type { Content } from '#site/content/content.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { RunsOn } from './abilities/runs-on.ts';
import type { FindUnused } from './abilities/unused.ts';
import type { ShownComments } from './comments/shown-comments.ts';
import type { ShownMedia } from './media/shown-media.ts';
import type { Plugins } from './plugins/plugins.ts';
import type { ShownPosts } from './posts/shown-posts.ts';
import type { ShownRevisions } from './revisions/shown-revisions.ts';
import type { Search } from './search/found.ts';
import type { ShownSettings } from './settings/shown-settings.ts';
import type { ShownTerms } from './terms/shown-terms.ts';
import type { ShownUsers } from './users/shown-users.ts';
import type { UserSearch } from './users/user-search.ts';

/** What the handlers use. */
export interface Core {
  readonly identity: Identity;
  /** Users as their records show them. */
  readonly users: ShownUsers;
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
  /** What the site runs on. */
  readonly runsOn: RunsOn;
  /** Below which records are changed over the interface. */
  readonly address: string;
  /** Of the program. */
  readonly version: string;
}
