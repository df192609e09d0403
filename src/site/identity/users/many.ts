// Making many users in one write. A login that somebody has gets the first number that makes it nobody else's.
import { type Hashed, insertUser, type Making } from './add.ts';
import { faultOfTaken } from './guards.ts';
import type { Writing } from './rows.ts';
import type { NewUser, OneOfMany, User } from './user.ts';

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
