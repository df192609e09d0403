// What is between the right password and a session: the steps that checks ask, one after the other. A sign-in that waits for a step is a
// one-time token; the browser keeps it with the number of the user. It ends with the password that it began with.
import type { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { outgoingErrors } from '../../outgoing/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { Keys } from '../../platform/keys.ts';
import type {
  Attempt,
  Checks,
  DueStep,
  FailedAttempt,
  SignInWay,
  Step,
  StepAnswer,
  StepCookie,
  StepFaults,
  StepForm,
} from '../checks.ts';
import { createOneTimeTokens, signInPurpose } from '../one-time-tokens.ts';
import { type Passwords, partyOf } from '../passwords/passwords.ts';
import type { Client, Sessions, Started } from '../sessions/sessions.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';

/** A sign-in that waits for a step. */
export interface PendingSignIn {
  /** What the browser keeps, to answer the step by. */
  readonly key: string;
  readonly form: StepForm;
  /** What was wrong with the last answer. */
  readonly faults: StepFaults;
}

/** Both are missing if nobody is let in. */
export interface SignInOutcome {
  readonly started?: Started | undefined;
  readonly pending?: PendingSignIn | undefined;
  /** What steps have the browser keep. */
  readonly cookies?: readonly StepCookie[];
}

/** A sign-in on its way: what is proven so far, and what is left. */
interface Journey {
  readonly user: User;
  /** The hash of the password that was proven, or that the user had when they showed something else. */
  readonly hash: string;
  readonly attempt: Attempt & { readonly by: SignInWay };
  readonly remember: boolean;
  readonly client: Client;
  readonly left: readonly DueStep[];
}

/** What is kept with the token. */
type Kept = Pick<Attempt, 'login'> & { readonly by?: SignInWay } & Pick<Journey, 'remember' | 'left'>;

interface Waiting extends Kept {
  readonly user: User;
  readonly hash: string;
  readonly token: string;
  readonly step: Step;
  readonly why: string;
}

export interface Steps {
  /** To the next step, or into the session once none is left. */
  proceed(journey: Journey): Promise<SignInOutcome>;
  /** The step that a browser with this key is to take; nothing if the sign-in is over. */
  pending(key: string): Promise<PendingSignIn | undefined>;
  /** Takes what a form answered. */
  answer(key: string, form: Readonly<Record<string, unknown>>, client: Client): Promise<SignInOutcome>;
}

interface StepDeps {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  /** Renewing the key of sessions ends all sign-ins that wait. */
  readonly keys: Pick<Keys, 'sessions'>;
  readonly users: Pick<Users, 'find'>;
  readonly sessions: Pick<Sessions, 'start'>;
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly events: Events;
  readonly checks: Checks;
  /** Says that an answer was wrong, no sooner than refusals do. */
  refuse(begun: number, failure: FailedAttempt): Promise<void>;
}

export const signInLife = 10 * minute;

export function createSteps(deps: StepDeps): Steps {
  const { sessions, events, checks } = deps;
  const tokens = createOneTimeTokens(deps, { name: signInPurpose, life: signInLife, mostInAnHour: 20 });
  const find = createFind(deps, tokens.find);

  async function enter({ user, hash, attempt, remember, client }: Journey): Promise<SignInOutcome> {
    await checks.entering(user, attempt);
    // What was proven is the password of that moment: one that was set meanwhile ended all sessions, so none begins.
    const started = await sessions.start(user, remember, client, hash);
    if (started !== undefined) events.emit('login.succeeded', { user, by: attempt.by, from: client.address });
    return { started };
  }

  async function proceed(journey: Journey, faults: StepFaults = {}): Promise<SignInOutcome> {
    const { user, hash, attempt, remember, left } = journey;
    const [next] = left;
    const step = next && checks.step(next.name);
    if (next === undefined || step === undefined) return next === undefined ? enter(journey) : {};
    const kept: Kept = { login: attempt.login, by: attempt.by, remember, left };
    const token = await tokens.make({ user: user.id, binding: hash }, kept);
    if (token === undefined) throw tooMany();
    return { pending: { key: `${user.id}.${token}`, form: await step.form(user, next.why, faults), faults } };
  }

  async function use({ token, hash }: Waiting): Promise<void> {
    if ((await tokens.consume(token, hash)) === undefined) throw new Over();
  }

  /** After an answer to a task that was not right. A write that used the token and was undone leaves it as it was. */
  async function askAgain(key: string, { user, step, why }: Waiting, journey: Journey, faults: StepFaults) {
    const isOpen = (await find(key)) !== undefined;
    return isOpen ? { pending: { key, form: await step.form(user, why, faults), faults } } : proceed(journey, faults);
  }

  async function answer(key: string, form: Readonly<Record<string, unknown>>, client: Client): Promise<SignInOutcome> {
    const begun = performance.now();
    const waiting = await find(key);
    if (waiting === undefined) return {};
    const { user, hash, step, login, by = 'password', remember, left } = waiting;
    const attempt = { login, user, by, from: client.address, ...(by !== 'password' && { isRight: true as const }) };
    await checks.attempt(attempt);
    const journey = { user, hash, attempt, remember, client, left };
    const { faults, again, password, isUsed, cookies } = await taken(waiting, form, client, () => use(waiting));
    if (faults !== undefined && step.kind === 'proof') {
      await deps.refuse(begun, { ...attempt, reason: 'incorrect_proof' });
      return proceed(journey, faults);
    }
    if (faults !== undefined) return askAgain(key, waiting, journey, faults);
    if (!isUsed) await use(waiting);
    const next = again === undefined ? [] : [{ name: step.name, why: again }];
    const proven = { ...journey, hash: await provenHash(deps, waiting, password) };
    return { ...(await proceed({ ...proven, left: [...next, ...left.slice(1)] })), cookies };
  }

  return {
    proceed: (journey) => proceed(journey),
    async pending(key) {
      const { user, step, why } = (await find(key)) ?? {};
      return user && step && { key, form: await step.form(user, why ?? '', {}), faults: {} };
    },
    answer: (...given) => answer(...given).catch(nothingWhenOver),
  };
}

/** What the step makes of an answer. `use`: uses the sign-in up; `isUsed`: whether it is. */
async function taken({ step, user, why }: Waiting, form: StepAnswer['form'], client: Client, use: () => Promise<void>) {
  // A guess costs the token, whatever becomes of it.
  let isUsed = step.kind === 'proof';
  if (isUsed) await use();
  const using = async (): Promise<void> => {
    await use();
    isUsed = true;
  };
  const cookies: StepCookie[] = [];
  const setCookie = (cookie: StepCookie): void => void cookies.push(cookie);
  const result = await step.take({ user, why, form, from: client.address, use: using, setCookie });
  if (result.over) throw new Over();
  return { ...result, isUsed, cookies };
}

const keyForm = /^(\d{1,15})\.([\w-]+)$/;

function createFind({ store, users, checks }: StepDeps, findToken: ReturnType<typeof createOneTimeTokens>['find']) {
  return async (key: string): Promise<Waiting | undefined> => {
    const [, id = '', token = ''] = keyForm.exec(key) ?? [];
    const user = id === '' ? undefined : await users.find(Number(id));
    const hash = await storedHash(store, user);
    // Users without a password sign in by other means, so the hash may be empty and bind the token to nobody.
    const found = user && (await findToken(token, hash));
    if (user === undefined || found?.user !== user.id) return undefined;
    const kept = found.payload as Kept;
    const { name = '', why = '' } = kept.left[0] ?? {};
    // Of an extension that was turned off meanwhile: signing in once more finds what is asked now.
    const step = checks.step(name);
    return step && { ...kept, user, hash, token, step, why };
  };
}

/** The hash of the password that the step has set, or that was proven before. It is over, if another one was set since. */
async function provenHash({ store, passwords }: StepDeps, { user, hash }: Waiting, password?: string): Promise<string> {
  if (password === undefined) return hash;
  const now = await storedHash(store, user);
  if (!(await passwords.verify(now, password, partyOf(user))).fits) throw new Over();
  return now;
}

/** Queried whether or not there is such a user, so that both take the same steps. */
export async function storedHash({ db }: Store<IdentityTables>, user: User | undefined): Promise<string> {
  const row = db
    .selectFrom('users')
    .select('password')
    .where('id', '=', user?.id ?? 0);
  return (await row.executeTakeFirst())?.password ?? '';
}

const tooMany = (): Problem =>
  outgoingErrors.tooManyRequests(
    'You started to sign in more than 20 times within 1 hour without finishing. Wait 1 hour, then sign in again.',
  );

/** The sign-in was finished elsewhere, or ended, a moment ago. */
class Over extends Error {}

function nothingWhenOver(error: unknown): SignInOutcome {
  if (!(error instanceof Over)) throw error;
  return {};
}
