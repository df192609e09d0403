// Making a user: the row, and everything that is theirs from the start.

import { slugOf } from '#lib/slug.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Checks } from '../checks.ts';
import { identityErrors } from '../errors.ts';
import { type Roles, refuseUnknownRoles } from '../roles.ts';
import { faultOfTaken, freeSlug, refuseTaken } from './guards.ts';
import { columns, countRoles, keepMeta, keepRoles, type Writing } from './rows.ts';
import { indexUser } from './search.ts';
import type { NewUser, OneOfMany, User } from './user.ts';
import { newWords } from './words.ts';

export interface Making {
  readonly clock: Clock;
  readonly roles: Roles;
  readonly defaultRole: string;
  readonly checks: Pick<Checks, 'hidesLogins'>;
}

/** The hash of a password, and who set it. */
export interface Hashed {
  readonly password: string;
  readonly password_by: number;
}

export async function insertUser(tx: Writing, user: NewUser, hash: Hashed, making: Making): Promise<User> {
  const roles = [...new Set(user.roles ?? [making.defaultRole])];
  refuseUnknownRoles(making.roles, roles);
  await refuseTaken(tx, user);
  const slug = await freeSlug(tx, newSlug(user, making.checks.hidesLogins()));
  const row = await tx
    .insertInto('users')
    .values({ ...newWords(user.login, user), slug, ...hash, registered_at: making.clock().toISOString() })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await keepRoles(tx, row, roles);
  await countRoles(tx, { all: 1, gone: [], come: roles });
  await keepMeta(tx, row.id, user.meta ?? {});
  await indexUser(tx, row);
  return { ...row, roles };
}

// Making many users in one write. A login that somebody has gets the first number that makes it nobody else's.

type Needs = Omit<Making, 'clock'>;

/** `hashes`: of their passwords, in the same order. */
export async function insertMany(
  tx: Writing,
  all: readonly OneOfMany[],
  hashes: readonly Hashed[],
  needs: Needs,
): Promise<User[]> {
  const made: User[] = [];
  for (const [at, one] of all.entries()) {
    const clock = (): Date => one.registered;
    made.push(await insertUser(tx, await free(tx, one), hashes[at]!, { ...needs, clock }));
  }
  return made;
}

async function free(tx: Writing, { login, as }: OneOfMany): Promise<NewUser> {
  for (let number = 1; ; number++) {
    const user = as(number === 1 ? login : `${login}${number}`);
    if ((await faultOfTaken(tx, user)) === undefined) return user;
  }
}

// The names of people in addresses: made of the name they sign in with, unless that is to stay their own affair.

/** `hidden`: it says nothing of the login. */
function newSlug({ login, slug = '', name = '', nickname = '' }: NewUser, hidden: boolean): string {
  if (!hidden) return slugOf(slug) || slugOf(login) || 'user';
  const wanted = [slug, name, nickname].map(slugOf);
  return wanted.find((one) => one !== '' && !tells(one, login)) ?? 'author';
}

/** With a number behind it, too: whoever reads it would try without. */
const tells = (slug: string, login: string): boolean =>
  slug.replace(/-\d+$/, '') === slugOf(login) || slug === slugOf(login);

/** The slug that somebody has from now on, where it may not say the login; nothing where it stays. */
export function hiddenSlug({ login, slug, name, nickname }: User, wanted: string | undefined): string | undefined {
  if (wanted !== undefined && tells(slugOf(wanted), login))
    throw identityErrors.userInvalidSlug().saying('Choose a slug that is not the login.');
  return wanted === undefined && tells(slug, login) ? newSlug({ login, name, nickname }, true) : undefined;
}
