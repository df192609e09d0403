// What stands behind the routes of this namespace.
import type { Identity } from '#site/identity/identity.ts';
import type { ShownRevisions } from './revisions/shown-revisions.ts';
import type { ShownSettings } from './settings/shown-settings.ts';
import type { ShownTerms } from './terms/shown-terms.ts';
import type { ShownUsers } from './users/shown-users.ts';

/** What the handlers use. */
export interface Core {
  readonly identity: Identity;
  /** Users as their records show them. */
  readonly users: ShownUsers;
  readonly terms: ShownTerms;
  readonly settings: ShownSettings;
  readonly revisions: ShownRevisions;
}
