import type { Identity } from '#site/identity/identity.ts';
import type { People } from './users/people.ts';

/** What the handlers use. */
export interface Core {
  readonly identity: Identity;
  /** Users as their records show them. */
  readonly people: People;
}
