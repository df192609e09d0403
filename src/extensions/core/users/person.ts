import type { About } from '#site/about.ts';
import type { Rights } from '#site/identity/rights.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';

/** What records of users are made and judged with. */
export interface House {
  readonly site: About;
  readonly roles: Roles;
  readonly rights: Rights;
}

/** A user with what their record and the rules about it ask for. */
export interface Person extends User {
  readonly house: House;
  /** Theirs alone: nothing where somebody else looks. */
  readonly preferences: unknown;
}
