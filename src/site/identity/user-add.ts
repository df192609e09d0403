import { slugOf } from '#lib/slug.ts';
import type { User } from './user.ts';
import { freeSlug, refuseTaken, refuseUnknownRoles } from './user-guards.ts';
import { keepMeta } from './user-meta.ts';
import { countRoles, keepRoles } from './user-roles.ts';
import { columns, type Writing } from './user-rows.ts';
import { indexUser } from './user-search.ts';
import { newWords } from './user-words.ts';
import type { Needs, NewUser } from './users.ts';

/** A new user with everything that is theirs from the start. The password is hashed already. */
export async function insertUser(tx: Writing, user: NewUser, password: string, needs: Needs): Promise<User> {
  const roles = [...new Set(user.roles ?? [needs.defaultRole])];
  refuseUnknownRoles(needs.roles, roles);
  await refuseTaken(tx, user);
  const slug = await freeSlug(tx, slugOf(user.slug ?? '') || slugOf(user.login) || 'user');
  const row = await tx
    .insertInto('users')
    .values({ ...newWords(user.login, user), slug, password, registered_at: needs.clock().toISOString() })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await keepRoles(tx, row, roles);
  await countRoles(tx, { all: 1, gone: [], come: roles });
  await keepMeta(tx, row.id, user.meta ?? {});
  await indexUser(tx, row);
  return { ...row, roles };
}
