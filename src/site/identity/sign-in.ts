// Signing in with the password of an account. Whatever is wrong, the answer is one and takes as long.
import { Problem } from '#kernel/problem.ts';
import type { Store } from '#store/store.ts';
import type { Events, Origin } from '../events.ts';
import { until } from '../until.ts';
import type { Passwords } from './passwords.ts';
import { failureOf, shownLogin } from './shown-login.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import type { Users } from './users.ts';

export interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly from: Origin;
}

export interface SignIn {
  /** The user, or nothing; why not is told to those who listen and not to who asked. */
  attempt(attempt: Attempt): Promise<User | undefined>;
  /** Whether this is their password now; for changing it. */
  isPassword(user: User, password: string): Promise<boolean>;
}

export interface Needs {
  readonly store: Store<IdentityTables>;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly events: Events;
  /** How long a refusal takes at least, in milliseconds, so that an old kind of hash does not show. */
  readonly refusalTakes: number;
}

/** Longer than any login or mail address: what is cut off was nobody's name. */
const longest = 320;

export function createSignIn({ store, users, passwords, events, refusalTakes }: Needs): SignIn {
  // Asked whether or not there is such a user, so that both take the same steps.
  const named = async (login: string): Promise<User | undefined> =>
    (await users.named(login.slice(0, longest))) ?? (await users.find(0));

  const hashOf = async (user: User | undefined): Promise<string> => {
    const row = store.db
      .selectFrom('users')
      .select('password')
      .where('id', '=', user?.id ?? 0);
    return (await row.executeTakeFirst())?.password ?? '';
  };

  /** Guarded by the old hash: a password set meanwhile stays. */
  async function renew(user: User, old: string, password: string): Promise<void> {
    const renewed = await passwords.hash(password);
    await store.write((tx) =>
      tx
        .updateTable('users')
        .set({ password: renewed })
        .where('id', '=', user.id)
        .where('password', '=', old)
        .execute(),
    );
  }

  return {
    async attempt({ login, password, from }) {
      const begun = performance.now();
      const user = await named(login);
      const hash = await hashOf(user);
      const { fits, outdated, waited } = await passwords.verify(hash, password);
      if (user && fits) {
        if (outdated) await renew(user, hash, password).catch(untilNextTime);
        events.emit('login.succeeded', { user, by: 'password', from });
        return user;
      }
      await until(begun + waited + refusalTakes);
      // An empty form was sent by mistake: nobody tried anything.
      if (login !== '' || password !== '')
        events.emit('login.failed', {
          login: nameIn(login, user),
          user,
          reason: failureOf(login, user),
          by: 'password',
          from,
        });
      return undefined;
    },
    isPassword: async (user, password) => (await passwords.verify(await hashOf(user), password)).fits,
  };
}

/** Too busy to hash it anew now; whoever got in is in. */
function untilNextTime(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

// People type passwords into the wrong field: what could be nobody's login or address is not handed on.
const nameLike = /^[\w .@+'-]+$/;
const nameIn = (login: string, user: User | undefined): string =>
  user || nameLike.test(login) ? shownLogin(login, user) : '';
