// A user as somebody sees one: what is kept of them, with what their record and the rules about it ask for.

import type { Rights } from '#site/identity/rights.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { About } from '#site/platform/about.ts';

/** What records of users are made and judged by. */
export interface Basis {
  readonly site: About;
  readonly roles: Roles;
  readonly rights: Rights;
}

export interface ShownUser extends User {
  readonly basis: Basis;
  /** Theirs alone: nothing where somebody else looks. */
  readonly preferences: unknown;
  /** Then everybody may see them. */
  hasPublished(): boolean | Promise<boolean>;
}

/** The site's own stands in for none. */
export const localeOf = ({ locale, basis: { site } }: ShownUser): string => locale || site.language;
