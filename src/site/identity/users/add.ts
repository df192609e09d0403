// Making a user: the row, and everything that is theirs from the start.
import type { Clock } from '../../platform/clock.ts';
import type { Checks } from '../checks.ts';
import { type Roles, refuseUnknownRoles } from '../roles.ts';
import { freeSlug, refuseTaken } from './guards.ts';
import { countRoles, keepRoles } from './held-roles.ts';
import { keepMeta } from './meta.ts';
import { columns, type Writing } from './rows.ts';
import { indexUser } from './search.ts';
import { newSlug } from './slugs.ts';
import type { NewUser, User } from './user.ts';
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
