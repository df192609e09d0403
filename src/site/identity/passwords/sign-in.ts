// Signing in with the password of an account. Whatever is wrong, the answer is one and takes as long.
import { Problem } from '#kernel/problem.ts';
import { networkOf } from '#lib/ip-address.ts';
import type { Store } from '#store/store.ts';
import type { Events, Origin } from '../../platform/events.ts';
import type { Checks, FailedAttempt } from '../checks.ts';
import type { Client, Sessions, Started } from '../sessions/sessions.ts';
import { failureOf, shownLogin } from '../shown-login.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { type Passwords, partyOf, type Verdict } from './passwords.ts';
import { until } from './until.ts';

interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly remember: boolean;
  readonly client: Client;
  /** What else the form sent. */
  readonly form?: Readonly<Record<string, unknown>>;
}

export interface SignIn {
  /** A session, or nothing; why not is told to those who listen and not to who asked. */
  attempt(attempt: Attempt): Promise<Started | undefined>;
  /** Whether they know their password; for what asks once more. A wrong one is told, and takes as long as at the door. */
  proves(user: User, password: string, from: Origin): Promise<boolean>;
  /** Whether this is their password now; nobody typed it. */
  isPassword(user: User, password: string): Promise<boolean>;
}

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly events: Events;
  readonly checks: Checks;
  /** How long a refusal takes at least, in milliseconds, so that an old kind of hash does not show. */
  readonly refusalTakes: number;
}

/** Longer than any login or email address: what is cut off was nobody's name. */
const longest = 320;

export function createSignIn({ store, users, sessions, passwords, events, checks, refusalTakes }: Needs): SignIn {
  // Asked whether or not there is such a user, so that both take the same steps.
  const hashOf = async (user: User | undefined): Promise<string> => {
    const row = store.db
      .selectFrom('users')
      .select('password')
      .where('id', '=', user?.id ?? 0);
    return (await row.executeTakeFirst())?.password ?? '';
  };

  /** The hash as it is from now on. Guarded by the old one: a password set meanwhile stays. */
  async function renewed(user: User, old: string, { password, client }: Attempt): Promise<string> {
    const hash = await passwords.hash(password, networkOf(client.address));
    await store.write((tx) =>
      tx.updateTable('users').set({ password: hash }).where('id', '=', user.id).where('password', '=', old).execute(),
    );
    return hash;
  }

  async function begin(user: User, hash: string, outdated: boolean, attempt: Attempt): Promise<Started | undefined> {
    const { remember, client } = attempt;
    const now = outdated ? await renewed(user, hash, attempt).catch(untilNextTime(hash)) : hash;
    // What was proven is the password of that moment: one that was set meanwhile ended all sessions, so none begins.
    const started = await sessions.start(user, remember, client, now);
    if (started !== undefined) events.emit('login.succeeded', { user, by: 'password', from: client.address });
    return started;
  }

  const check = async (user: User, password: string): Promise<Verdict> =>
    passwords.verify(await hashOf(user), password, partyOf(user));

  const refused = async (begun: number, failure: FailedAttempt): Promise<void> => {
    await until(begun + refusalTakes);
    const { login, user, reason, by, from } = failure;
    events.emit('login.failed', { login, user, reason, by, from });
    await checks.failed(failure);
  };

  return {
    async attempt(attempt) {
      const { login, password, client, form } = attempt;
      const begun = performance.now();
      const user = await users.named(login.slice(0, longest));
      const isEmpty = login === '' && password === '';
      const asked = { login: nameIn(login, user), user, by: 'password', from: client.address, form } as const;
      if (!isEmpty) await checks.attempt(asked);
      const hash = await hashOf(user);
      // No password is empty: nobody stands in line for that.
      const { fits, outdated, waited } =
        password === '' ? nothing : await passwords.verify(hash, password, networkOf(client.address));
      if (user && fits) await checks.entering(user, asked, password);
      const started = user && fits ? await begin(user, hash, outdated, attempt) : undefined;
      if (started !== undefined) return started;
      // An empty form was sent by mistake: nobody tried anything.
      if (isEmpty) await until(begun + refusalTakes);
      else await refused(begun + waited, { ...asked, reason: failureOf(login, user) });
      return undefined;
    },
    isPassword: async (user, password) => (await check(user, password)).fits,
    async proves(user, password, from) {
      const begun = performance.now();
      const asked = { login: user.login, user, by: 'password', from } as const;
      await checks.attempt(asked);
      const { fits, waited } = await check(user, password);
      if (!fits) await refused(begun + waited, { ...asked, reason: 'incorrect_password' });
      return fits;
    },
  };
}

const nothing: Verdict = { fits: false, outdated: false, waited: 0 };

/** Too busy to hash it anew now: the old hash stays, and whoever got in is in. */
const untilNextTime =
  (old: string) =>
  (error: unknown): string => {
    if (!(error instanceof Problem)) throw error;
    return old;
  };

// People type passwords into the wrong field: what could be nobody's login or address is not handed on.
const nameLike = /^[\w .@+'-]+$/;
const nameIn = (login: string, user: User | undefined): string =>
  user || nameLike.test(login) ? shownLogin(login, user) : '';
