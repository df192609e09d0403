// Who may be told of what concerns the security of the site: roles that stand as high as administrators, and whoever has them.
import type { Roles } from '#site/identity/roles.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';
import { canonicalOf } from '../groups/canonical.ts';
import type { Contact } from './settings.ts';

/** The contacts of a list that are none. */
export type Strangers = (contacts: readonly Contact[]) => Contact[];

const prefix = 'role:';

const highRoles = (roles: Roles): string[] =>
  roles.names.filter((name) => canonicalOf(roles.capabilitiesOf([name])) === 'administrator');

interface Person {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
}

/** Each once for each of these roles. */
async function holdersOf(db: Reads<IdentityTables>, roles: readonly string[]): Promise<Person[]> {
  if (roles.length === 0) return [];
  return db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select(['users.id', 'users.login', 'users.name', 'users.email', 'user_roles.role'])
    .where('user_roles.role', 'in', roles)
    .orderBy('users.id')
    .execute();
}

/** Made for many lists at once. */
export async function strangersBy(db: Reads<IdentityTables>, roles: Roles): Promise<Strangers> {
  const high = highRoles(roles);
  const known = new Set<Contact>([
    ...high.map((role) => `${prefix}${role}`),
    ...(await holdersOf(db, high)).map(({ id }) => id),
  ]);
  return (contacts) => contacts.filter((one) => !known.has(one));
}

/** Roles become whoever has them. */
export async function peopleOf(
  db: Reads<IdentityTables>,
  roles: Roles,
  contacts: readonly Contact[],
): Promise<Person[]> {
  const wanted = new Set(contacts);
  const people = await holdersOf(db, highRoles(roles));
  const listed = people.filter(({ id, role }) => wanted.has(id) || wanted.has(`${prefix}${role}`));
  return [...new Map(listed.map((one) => [one.id, one])).values()];
}

/** The email address of the administrator who has been here longest; empty when there is none. */
export async function firstAdministratorEmail(db: Reads<IdentityTables>, roles: Roles): Promise<string> {
  const found = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select('users.email')
    .where('user_roles.role', 'in', highRoles(roles))
    .where('users.email', '<>', '')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  return found?.email ?? '';
}

/** As a form offers them. */
export async function offered(db: Reads<IdentityTables>, roles: Roles) {
  const high = highRoles(roles);
  const people = new Map((await holdersOf(db, high)).map((one) => [one.id, one]));
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return {
    users: [...people.values()]
      .map(({ id, login, name }) => ({ value: id, label: `${name} (${login})` }))
      .sort((one, other) => compare(one.label, other.label)),
    roles: high.map((role) => ({ value: `${prefix}${role}`, label: roles.labelOf(role) })),
  };
}
