// Changing a user: what is refused, what is kept, and which doors close behind a new password or address.
import { slugOf } from '#lib/slug.ts';
import { identityErrors } from '../errors.ts';
import { administrator, type Roles, refuseUnknownRoles } from '../roles.ts';
import { type Hashed, hiddenSlug } from './add.ts';
import { freeSlug, isLastAdministrator, refuseTaken, refuseTakenSlug } from './guards.ts';
import { endGiven, endMade, endOpened, type Kept, type Revoked } from './opened.ts';
import { columns, countRoles, keepMeta, keepRoles, type Writing } from './rows.ts';
import { indexUser } from './search.ts';
import type { Profile, User } from './user.ts';
import { changedWords, keyOf } from './words.ts';

export interface Changed {
  readonly before: User;
  readonly after: User;
  /** How many sessions it ended. */
  readonly sessions: number;
  /** What ended because somebody may do more now, or less. */
  readonly revoked: readonly Revoked[];
  /** Whether the password was taken away, because somebody lesser had set it. */
  readonly isWithdrawn: boolean;
}

/** A hash is given when the password is new. */
interface Change {
  readonly profile: Partial<Profile>;
  readonly hash: Hashed | undefined;
  readonly keep: Kept | undefined;
  /** Whether the slug may not say the login. */
  readonly hidesLogin: boolean;
}

export async function changeUser(tx: Writing, before: User, change: Change, known: Roles): Promise<Changed> {
  const { hash, keep } = change;
  await refuseChange(tx, before, change.profile, known);
  const hidden = change.hidesLogin ? hiddenSlug(before, change.profile.slug) : undefined;
  const profile = { ...change.profile, ...(hidden !== undefined && { slug: await freeSlug(tx, hidden) }) };
  const row = await updateRow(tx, before, profile, hash);
  const roles = profile.roles === undefined ? before.roles : [...new Set(profile.roles)];
  if (profile.roles !== undefined || row.name !== before.name) await keepRoles(tx, row, roles);
  if (profile.roles !== undefined) await countRoles(tx, { all: 0, gone: before.roles, come: roles });
  await keepMeta(tx, before.id, profile.meta ?? {});
  const isNewDoor = hash !== undefined || keyOf(row.email) !== keyOf(before.email);
  const sessions = isNewDoor ? await endOpened(tx, before.id, keep) : 0;
  const after = { ...row, roles };
  const ended = await endOthers(tx, before, after, known);
  return { before, after, ...ended, sessions: sessions + ended.sessions };
}

/** More rights end what lesser people made for them; fewer end what they made for others. */
async function endOthers(tx: Writing, before: User, after: User, known: Roles) {
  const given = known.isMore(after.roles, before.roles) ? await endGiven(tx, after, known) : nothing;
  const made = known.isMore(before.roles, after.roles) ? await endMade(tx, after) : [];
  return { ...given, revoked: [...given.revoked, ...made] };
}

const nothing = { isWithdrawn: false, sessions: 0, revoked: [] };

async function refuseChange(tx: Writing, before: User, { email, slug, roles }: Partial<Profile>, known: Roles) {
  refuseUnknownRoles(known, roles);
  if (roles !== undefined && !roles.includes(administrator) && (await isLastAdministrator(tx, before)))
    throw identityErrors.roleNotAllowed('The last administrator cannot lose this role.');
  await refuseTaken(tx, { id: before.id, email });
  if (slug !== undefined) await refuseTakenSlug(tx, before, slugOf(slug));
}

async function updateRow(tx: Writing, before: User, profile: Partial<Profile>, hash: Hashed | undefined) {
  const set = {
    ...changedWords(before, profile),
    ...(profile.slug !== undefined && { slug: slugOf(profile.slug) }),
    ...hash,
  };
  if (Object.keys(set).length === 0) return before;
  const changing = tx.updateTable('users').set(set).where('id', '=', before.id).returning(columns);
  const row = await changing.executeTakeFirstOrThrow();
  await indexUser(tx, row, before);
  return row;
}
