import type { Identity } from '#site/identity/identity.ts';

/** What the handlers use. */
export interface Core {
  readonly identity: Identity;
}
