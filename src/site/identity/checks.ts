// Who is asked besides the password: before somebody is let in, after a wrong one, and before a password is chosen. Extensions say so by
// `services.identity.checks`.
import type { Html } from '#lib/html.ts';
import type { Origin } from '../platform/events.ts';
import type { LoginFailure, User } from './users/user.ts';

/** Somebody at the door. */
export interface Attempt {
  /** As it was typed, shortened; never the password. */
  readonly login: string;
  /** The user it names, if there is one. */
  readonly user: User | undefined;
  readonly by: 'password' | 'application_password';
  readonly from: Origin;
  /** The credential is the right one: only where it comes from is still to be judged. */
  readonly isRight?: true;
  /** What else the form sent, where there was one. */
  readonly form?: Readonly<Record<string, unknown>> | undefined;
}

export interface FailedAttempt extends Attempt {
  readonly reason: LoginFailure;
}

/** A password that somebody chooses, or that is chosen for them. */
export interface Chosen {
  readonly password: string;
  /** Whose it becomes; nobody's yet where a user is made. */
  readonly id: number | undefined;
  /** What is said of them with it. */
  readonly login?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly roles?: readonly string[] | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Somebody who wants a new password, and may be anybody. */
export interface Lost {
  /** What their form sent. */
  readonly form: Fields;
  readonly from: Origin;
}

/** The forms that strangers fill in. */
export type FormName = 'sign-in' | 'lost-password';

/** What a page loads. */
export interface Loaded {
  /** In the head of its page. */
  readonly head?: Html;
  /** What it loads from elsewhere: sources, by the directive of the page's policy that lets them in. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** What a form asks besides. */
export interface Besides extends Loaded {
  /** Within it, before its button. */
  readonly body: Html;
}

export interface Check {
  /**
   * Before the password is looked at, and of a right one as of a wrong one. Throws what refuses. It is asked on every request with an
   * application password: it says so at once, where it can.
   */
  attempt?(attempt: Attempt): void | Promise<void>;
  /** After a wrong one. What it throws is the answer. */
  failed?(attempt: FailedAttempt): void | Promise<void>;
  /** After the right password of an account, before a session begins. What it throws refuses, or leads elsewhere first. */
  entering?(user: User, attempt: Attempt, password: string): void | Promise<void>;
  /** Why it cannot be chosen, as a sentence. */
  password?(chosen: Chosen): Promise<string | undefined>;
  /** Before a link for a new password is looked for. What it throws refuses. */
  lost?(lost: Lost): void | Promise<void>;
  /** What a form asks besides; `query`: of the address of its page. */
  besides?(form: FormName, query: Fields): Besides | undefined;
  /** What every page of the public site loads for it. */
  everywhere?(): Loaded | undefined;
  /** Whether addresses of authors say nothing of the name they sign in with. */
  hidesLogins?(): boolean;
}

export interface Checks {
  /** Returns how not to be asked any more. */
  also(check: Check): () => void;
  /** Nothing to wait for, where nobody has to be. */
  attempt(attempt: Attempt): void | Promise<void>;
  failed(attempt: FailedAttempt): Promise<void>;
  entering(user: User, attempt: Attempt, password: string): Promise<void>;
  /** The first fault that anybody finds. */
  password(chosen: Chosen): Promise<string | undefined>;
  lost(lost: Lost): Promise<void>;
  besides(form: FormName, query: Fields): readonly Besides[];
  everywhere(): readonly Loaded[];
  hidesLogins(): boolean;
}

export function createChecks(): Checks {
  const all = new Set<Check>();
  return {
    also(check) {
      all.add(check);
      return () => void all.delete(check);
    },
    attempt(attempt) {
      let waiting: Promise<void> | undefined;
      for (const check of all)
        waiting =
          waiting === undefined
            ? (check.attempt?.(attempt) ?? undefined)
            : waiting.then(() => check.attempt?.(attempt));
      return waiting;
    },
    async failed(attempt) {
      for (const check of all) await check.failed?.(attempt);
    },
    async entering(user, attempt, password) {
      for (const check of all) await check.entering?.(user, attempt, password);
    },
    async password(chosen) {
      for (const check of all) {
        const fault = await check.password?.(chosen);
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
    async lost(lost) {
      for (const check of all) await check.lost?.(lost);
    },
    besides: (form, query) => [...all].flatMap((check) => check.besides?.(form, query) ?? []),
    everywhere: () => [...all].flatMap((check) => check.everywhere?.() ?? []),
    hidesLogins: () => [...all].some((check) => check.hidesLogins?.() === true),
  };
}
