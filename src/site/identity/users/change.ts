// Changing a user: what is refused, what is kept, and which doors close behind a new password or address.
import { Problem } from '#kernel/problem.ts';
import { slugOf } from '#lib/slug.ts';
import { administrator, type Roles, refuseUnknownRoles } from '../roles.ts';
import { isLastAdministrator, refuseTaken, refuseTakenSlug } from './guards.ts';
import { countRoles, keepRoles } from './held-roles.ts';
import { keepMeta } from './meta.ts';
import { endGiven, endOpened } from './opened.ts';
import { columns, type Writing } from './rows.ts';
import { indexUser } from './search.ts';
import type { Profile, User } from './user.ts';
import { changedWords, keyOf } from './words.ts';

export interface Changed {
  readonly before: User;
  readonly after: User;
  /** How many sessions it ended. */
  readonly sessions: number;
  /** The names of the application passwords it revoked. */
  readonly revoked: readonly string[];
}

/** A hash is given when the password is new. */
export interface Change {
  readonly profile: Partial<Profile>;
  readonly password: string | undefined;
  readonly keep: { readonly session: number } | undefined;
}

export async function changeUser(tx: Writing, before: User, change: Change, known: Roles): Promise<Changed> {
  const { profile, password, keep } = change;
  await refuseChange(tx, before, profile, known);
  const row = await updateRow(tx, before, profile, password);
  const roles = profile.roles === undefined ? before.roles : [...new Set(profile.roles)];
  if (profile.roles !== undefined || row.name !== before.name) await keepRoles(tx, row, roles);
  if (profile.roles !== undefined) await countRoles(tx, { all: 0, gone: before.roles, come: roles });
  await keepMeta(tx, before.id, profile.meta ?? {});
  const isNewDoor = password !== undefined || keyOf(row.email) !== keyOf(before.email);
  const sessions = isNewDoor ? await endOpened(tx, before.id, keep) : 0;
  const revoked = known.isMore(roles, before.roles) ? await endGiven(tx, before.id) : [];
  return { before, after: { ...row, roles }, sessions, revoked };
}

async function refuseChange(tx: Writing, before: User, { email, slug, roles }: Partial<Profile>, known: Roles) {
  refuseUnknownRoles(known, roles);
  if (roles !== undefined && !roles.includes(administrator) && (await isLastAdministrator(tx, before)))
    throw new Problem(403, 'rest_user_invalid_role', 'The last administrator has to stay one.');
  await refuseTaken(tx, { id: before.id, email });
  if (slug !== undefined) await refuseTakenSlug(tx, before, slugOf(slug));
}

async function updateRow(tx: Writing, before: User, profile: Partial<Profile>, password: string | undefined) {
  const set = {
    ...changedWords(before, profile),
    ...(profile.slug !== undefined && { slug: slugOf(profile.slug) }),
    ...(password !== undefined && { password }),
  };
  if (Object.keys(set).length === 0) return before;
  const changing = tx.updateTable('users').set(set).where('id', '=', before.id).returning(columns);
  const row = await changing.executeTakeFirstOrThrow();
  await indexUser(tx, row, before);
  return row;
}
