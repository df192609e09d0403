// What must be true of all users together. Asked inside the write that could break it, which holds the lock on users.
import type { Problem } from '#kernel/problem.ts';
import { identityErrors } from '../errors.ts';
import { administrator } from '../roles.ts';
import { loginLook } from '../tables.ts';
import type { Writing } from './rows.ts';
import type { User } from './user.ts';
import { keyOf } from './words.ts';

/** The name under which writes that decide by looking at other users wait for each other. */
export const usersLock = 'users';

/** Shared by writes that keep something under somebody's number: who deletes them finds all of it, or they do not find them. */
export const userLock = (id: number): string => `user ${id}`;

interface Called {
  readonly login?: string;
  readonly email?: string | undefined;
  readonly id?: number;
}

export async function refuseTaken(tx: Writing, who: Called): Promise<void> {
  const fault = await faultOfTaken(tx, who);
  if (fault !== undefined) throw fault;
}

/** A login and an email address open the same door, so neither may be another user's either. */
export async function faultOfTaken(tx: Writing, { login, email, id = 0 }: Called): Promise<Problem | undefined> {
  const isTaken = async (text: string): Promise<boolean> => {
    const key = keyOf(text);
    const query = tx.selectFrom('users').select('id').where('id', '<>', id);
    return (
      (await query
        .where((row) => row.or([row('login_key', '=', key), row('email_key', '=', key)]))
        .executeTakeFirst()) !== undefined
    );
  };
  if (login !== undefined && ((await isTaken(login)) || (await isLookedLike(tx, login))))
    return identityErrors.existingUserLogin();
  if (email === undefined || email === '' || !(await isTaken(email))) return undefined;
  return id === 0 ? identityErrors.existingUserEmail() : identityErrors.userInvalidEmail();
}

/** A capital I is a small l to the eye. Letters of other scripts that look like ours are in no login. */
async function isLookedLike(tx: Writing, login: string): Promise<boolean> {
  const look = login.replaceAll('I', 'l').toLowerCase();
  const alike = tx.selectFrom('users').select('id').where(loginLook, '=', look);
  return (await alike.executeTakeFirst()) !== undefined;
}

const isSlugTaken = async (tx: Writing, slug: string, id: number): Promise<boolean> =>
  (await tx.selectFrom('users').select('id').where('slug', '=', slug).where('id', '<>', id).executeTakeFirst()) !==
  undefined;

/** The slug, with the first number that makes it nobody else's. */
export async function freeSlug(tx: Writing, wanted: string): Promise<string> {
  if (!(await isSlugTaken(tx, wanted, 0))) return wanted;
  for (let from = 2, many = 50; ; from += many, many = Math.min(2 * many, 10_000)) {
    const candidates = Array.from({ length: many }, (_, at) => `${wanted}-${from + at}`);
    const taken = await tx.selectFrom('users').select('slug').where('slug', 'in', candidates).execute();
    const slugs = new Set(taken.map(({ slug }) => slug));
    const free = candidates.find((one) => !slugs.has(one));
    if (free !== undefined) return free;
  }
}

export async function refuseTakenSlug(tx: Writing, { id }: User, slug: string): Promise<void> {
  if (slug === '') throw identityErrors.userInvalidSlug();
  if (await isSlugTaken(tx, slug, id))
    throw identityErrors.userInvalidSlug().saying('Another user has this slug. Choose a different one.');
}

/** Without an administrator nobody could put the site right again. */
export async function isLastAdministrator(tx: Writing, { id, roles }: User): Promise<boolean> {
  if (!roles.includes(administrator)) return false;
  const other = await tx
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', administrator)
    .where('user_id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
