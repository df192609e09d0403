// Signing in with the password of an account, or by a method that an extension adds: it leads to a session, or to the steps before one.
// Whatever is wrong with a password, the answer is one and takes as long.
import { setTimeout as after } from 'node:timers/promises';
import { Problem } from '#kernel/problem.ts';
import { networkOf } from '#lib/ip-address.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events, Origin } from '../../platform/events.ts';
import type { Keys } from '../../platform/keys.ts';
import type { Attempt as Asked, Checks, FailedAttempt, SignInMethod, SignInWay, StepCookie } from '../checks.ts';
import { type Passwords, partyOf, type Verdict } from '../passwords/passwords.ts';
import type { Client, Sessions } from '../sessions/sessions.ts';
import { failureOf, shownLogin } from '../shown-login.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { createSteps, type SignInOutcome, type Steps, storedHash } from './steps.ts';

interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly remember: boolean;
  readonly client: Client;
  /** What else the form sent. */
  readonly form?: Readonly<Record<string, unknown>>;
}

export interface SignIn extends Pick<Steps, 'pending' | 'answer'> {
  /** A session, or a step to take first, or neither; why not is told to those who listen and not to who asked. */
  attempt(attempt: Attempt): Promise<SignInOutcome>;
  /** Whether they know their password; for what asks once more. A wrong one is told, and takes as long as at the door. */
  proves(user: User, password: string, from: Origin): Promise<boolean>;
  /** Whether this is their password now; nobody typed it. */
  isPassword(user: User, password: string): Promise<boolean>;
  /** Counts a failure that an extension found, at once. What the checks throw is the answer. */
  failed(failure: FailedAttempt): Promise<void>;
  /** Waits until a request has taken as long as a refusal does, so that the time does not tell what it found. `begun`: by `performance.now()`. */
  waitAsRefused(begun: number): Promise<void>;
}

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Pick<Keys, 'sessions'>;
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

export function createSignIn(needs: Needs): SignIn {
  const { store, users, passwords, checks, refusalTakes } = needs;
  /** The hash as it is from now on. Guarded by the old one: a password set meanwhile stays. */
  async function renewed(user: User, old: string, { password, client }: Attempt): Promise<string> {
    const hash = await passwords.hash(password, networkOf(client.address));
    await store.write((tx) =>
      tx.updateTable('users').set({ password: hash }).where('id', '=', user.id).where('password', '=', old).execute(),
    );
    return hash;
  }

  async function begin(user: User, { hash, outdated }: Proven, asked: Showing, attempt: Attempt) {
    const { remember, client } = attempt;
    const now = outdated ? await renewed(user, hash, attempt).catch(untilNextTime(hash)) : hash;
    const cookies: StepCookie[] = [];
    const setCookie = (cookie: StepCookie): void => void cookies.push(cookie);
    const password = asked.by === 'password' ? attempt.password : undefined;
    const left = await checks.due(user, { by: asked.by, password, from: client.address, setCookie });
    const { started, pending } = await proceed({ user, hash: now, attempt: asked, remember, client, left });
    return started || pending ? { started, pending, cookies } : undefined;
  }

  const check = async (user: User, password: string): Promise<Verdict> =>
    passwords.verify(await storedHash(store, user), password, partyOf(user));

  const { failed, refused } = createFailures(needs);
  const { proceed, pending, answer } = createSteps({ ...needs, refuse: refused });
  const byMethod = createByMethod(needs, { begin, refused });
  async function byPassword(attempt: Attempt): Promise<SignInOutcome> {
    const { login, password, client, form } = attempt;
    const begun = performance.now();
    const user = await users.named(login.slice(0, longest));
    const isEmpty = login === '' && password === '';
    const asked = { login: nameIn(login, user), user, by: 'password', from: client.address, form } as const;
    if (!isEmpty) await checks.attempt(asked);
    const hash = await storedHash(store, user);
    // No password is empty: nobody stands in line for that.
    const { fits, outdated, waited } =
      password === '' ? nothing : await passwords.verify(hash, password, networkOf(client.address));
    const outcome = user && fits ? await begin(user, { hash, outdated }, asked, attempt) : undefined;
    if (outcome !== undefined) return outcome;
    // An empty form was sent by mistake: nobody tried anything.
    if (isEmpty) await until(begun + refusalTakes);
    else await refused(begun + waited, { ...asked, reason: failureOf(login, user) });
    return {};
  }
  return {
    pending,
    answer,
    failed,
    waitAsRefused: (begun) => until(begun + refusalTakes),
    attempt: (attempt) => byMethod(attempt) ?? byPassword(attempt),
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

function createFailures({ events, checks, refusalTakes }: Needs) {
  const failed = async (failure: FailedAttempt): Promise<void> => {
    const { login, user, reason, by, from } = failure;
    events.emit('login.failed', { login, user, reason, by, from });
    await checks.failed(failure);
  };
  return {
    failed,
    async refused(begun: number, failure: FailedAttempt): Promise<void> {
      await until(begun + refusalTakes);
      await failed(failure);
    },
  };
}

interface MethodDeps {
  begin(user: User, proven: Proven, asked: Showing, attempt: Attempt): Promise<SignInOutcome | undefined>;
  refused(begun: number, failure: FailedAttempt): Promise<void>;
}

/** Signing in by a method of an extension. The right proof is judged by where it comes from alone, as a right password is not. */
function createByMethod({ store, users, checks }: Needs, { begin, refused }: MethodDeps) {
  const enter = async (method: SignInMethod, attempt: Attempt): Promise<SignInOutcome> => {
    const { login, client, form = {} } = attempt;
    const begun = performance.now();
    const named = await users.named(login.slice(0, longest));
    const asked = { login: nameIn(login, named), by: method.name, from: client.address, isRight: true, form } as const;
    await checks.attempt({ ...asked, user: named });
    // Before the proof: a password that is set meanwhile ends this sign-in, as it ends sessions.
    const hash = await storedHash(store, named);
    const user = await method.prove(named, form).catch(async (error: unknown) => {
      if (error instanceof Problem) await refused(begun, { ...asked, user: named, reason: method.failure });
      throw error;
    });
    return (await begin(user, { hash, outdated: false }, { ...asked, user }, attempt)) ?? {};
  };
  /** Nothing, if the form names no such method. */
  return (attempt: Attempt): Promise<SignInOutcome> | undefined => {
    const { method: name } = attempt.form ?? {};
    const method = typeof name === 'string' ? checks.method(name) : undefined;
    return method && enter(method, attempt);
  };
}

type Showing = Asked & { readonly by: SignInWay };

/** The password fits this hash. */
type Proven = Pick<Verdict, 'outdated'> & { readonly hash: string };

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

/** Waits until a moment of this process (`performance.now()`); not at all when it is past. A timer may come too early. */
export async function until(moment: number): Promise<void> {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) await after(Math.ceil(left));
}
