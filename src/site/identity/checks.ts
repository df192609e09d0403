// Who is asked besides the password: before somebody is let in, after a wrong one, and before a password is chosen. Extensions say so by
// `services.identity.checks`.
import type { Origin } from '../events.ts';
import type { LoginFailure, User } from './users/user.ts';

/** Somebody at the door. */
export interface Attempt {
  /** As it was typed, shortened; never the password. */
  readonly login: string;
  /** The user it names, if there is one. */
  readonly user: User | undefined;
  readonly by: 'password' | 'application_password';
  readonly from: Origin;
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
  };
}
