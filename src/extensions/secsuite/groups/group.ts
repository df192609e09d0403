// A group of users: some by number, some by what they are. It matches whom any of its parts matches.
import type { Roles } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import { type Canonical, canonicalNames, canonicalOf, isAtLeast, isCanonical } from './canonical.ts';

/** Whom a group may match. */
export type Somebody = Pick<User, 'id' | 'roles'>;

/** What makes a group. */
export interface Parts {
  readonly users: readonly number[];
  readonly roles: readonly string[];
  readonly canonical: readonly Canonical[];
  /** The lowest role that belongs to it; empty for none. */
  readonly min_role: string;
}

export interface Group extends Parts {
  readonly id: string;
  readonly label: string;
  /** The logins of `users`, in their order. */
  readonly logins: readonly string[];
}

export const isConfigured = ({ users, roles, canonical, min_role }: Parts): boolean =>
  users.length + roles.length + canonical.length > 0 || min_role !== '';

const alike = <T>(one: readonly T[], other: readonly T[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;

/** Whether they are made of the same, in whatever order. */
export const isTwin = (one: Parts, other: Parts): boolean =>
  one.min_role === other.min_role &&
  alike(one.users, other.users) &&
  alike(one.roles, other.roles) &&
  alike(one.canonical, other.canonical);

/** Asks of one user after another, quickly: whom the group names is looked up and not looked for. */
export function matcherOf({ users, roles, canonical, min_role }: Parts, known: Roles): (who: Somebody) => boolean {
  const named = new Set(users);
  const lowest = isCanonical(min_role) ? min_role : undefined;
  const looksAtStep = canonical.length > 0 || lowest !== undefined;
  return (who) => {
    if (named.has(who.id) || who.roles.some((role) => roles.includes(role))) return true;
    const step = looksAtStep ? canonicalOf(known.capabilitiesOf(who.roles)) : undefined;
    return step !== undefined && (canonical.includes(step) || (lowest !== undefined && isAtLeast(step, lowest)));
  };
}

/** So many users are called by name. */
const mostNamed = 10;

/** Who belongs to it, as a sentence. */
export function describe({ logins, roles, canonical, min_role }: Group, known: Roles): string {
  const parts = [
    roles.length > 0 && `all users with the role ${listed(roles.map(known.labelOf), 'or')}`,
    canonical.length > 0 && `all users with the rights of ${listed(inOrder(canonical).map(article), 'or')}`,
    min_role !== '' && `all users with at least the rights of ${article(known.labelOf(min_role).toLowerCase())}`,
    logins.length > 0 && `the ${logins.length === 1 ? 'user' : 'users'} ${listed(shortened(logins), 'and')}`,
  ].filter((part) => part !== false);
  const sentence = parts.length === 0 ? 'no users at present' : listed(parts, 'and');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

const inOrder = (canonical: readonly Canonical[]): Canonical[] =>
  canonicalNames.filter((name) => canonical.includes(name));

const article = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

const shortened = (logins: readonly string[]): string[] =>
  logins.length <= mostNamed
    ? [...logins]
    : [
        ...logins.slice(0, mostNamed),
        `${logins.length - mostNamed} ${logins.length - mostNamed === 1 ? 'other' : 'others'}`,
      ];

function listed(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
