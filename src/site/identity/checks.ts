// What extensions add to signing in: they are asked before it and after a wrong password, add steps and ways to sign in, and judge new
// passwords.
// They say so by `services.identity.checks`.
import type { Html } from '#lib/html.ts';
import type { Origin } from '../platform/events.ts';
import type { Credential } from './credential.ts';
import type { LoginFailure, User } from './users/user.ts';

/** How users show who they are on the sign-in page. */
export type SignInWay = 'password' | 'webauthn' | 'magic';

/** Somebody at the door. */
export interface Attempt {
  /** As it was typed, shortened; never the password. */
  readonly login: string;
  /** The user it names, if there is one. */
  readonly user: User | undefined;
  readonly by: SignInWay | 'application_password';
  readonly from: Origin;
  /** The credential is the right one: only where it comes from is still to be judged. */
  readonly isRight?: true;
  /** What else the form sent, where there was one. */
  readonly form?: Readonly<Record<string, unknown>> | undefined;
}

export interface FailedAttempt extends Attempt {
  readonly reason: LoginFailure;
}

/** How a user showed who they are when the sign-in began. */
export interface Shown {
  readonly by: SignInWay;
  /** Only of a sign-in by password. */
  readonly password?: string | undefined;
  readonly from: Origin;
  /** Has the browser keep something, whatever becomes of the sign-in. */
  setCookie(cookie: StepCookie): void;
}

/** A cookie that a step gives. `seconds`: how long the browser keeps it; 0 deletes it. */
export interface StepCookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

/** A way to sign in without the password. The form names it as `method`, and sends a proof. */
export interface SignInMethod {
  /** Unique on the site. */
  readonly name: Exclude<SignInWay, 'password'>;
  /** Why a sign-in failed whose proof was refused. */
  readonly failure: LoginFailure;
  /** Uses the proof up. What it throws refuses, and the sign-in counts as failed. */
  prove(user: User | undefined, form: Fields): Promise<User>;
}

/** A page that users reach from their account. */
export interface AccountLink {
  readonly path: string;
  readonly title: string;
  /** What they can do there or how things stand, in sentences. */
  readonly about: string;
}

/** What is wrong with an answer, by the name of the field. */
export type StepFaults = Readonly<Record<string, string>>;

/** What a page asks for a step: the site adds the form around `body`, and the button. */
export interface StepForm extends Loaded {
  readonly title: string;
  /** Why this is asked, as a sentence. */
  readonly reason: string;
  /** The fields. */
  readonly body: Html;
  readonly button: string;
  /** Further buttons, below the first one, which is the one that the Enter key presses. */
  readonly others?: Html;
}

export interface StepAnswer {
  readonly user: User;
  /** As `due` said it. */
  readonly why: string;
  readonly form: Fields;
  readonly from: Origin;
  /** Uses the sign-in up. A task calls it in its own write, and leaves it alone when it throws: the sign-in is over. */
  use(): Promise<void>;
  setCookie(cookie: StepCookie): void;
}

/** Empty, once the step is done. */
export interface StepResult {
  /** It is not done: it is asked again. */
  readonly faults?: StepFaults;
  /** Nothing was answered and nothing is wrong: it is asked again, for this reason. */
  readonly again?: string;
  /** Something changed meanwhile that the sign-in does not know of: it ends, and the user begins another. */
  readonly over?: true;
  /** The step has set this password: the sign-in goes on with it. */
  readonly password?: string;
}

/** A step of a sign-in: asked after the password, before a session begins. */
export interface Step {
  /** Unique on the site. A sign-in that waits is kept with it. */
  readonly name: string;
  /**
   * A proof shows once more who somebody is: each answer uses the sign-in up, and wrong ones count like wrong passwords. A task is to be
   * done before they go on. All proofs come before all tasks, so that a password alone changes nothing.
   */
  readonly kind: 'proof' | 'task';
  /** Why this user is asked, as a word that `form` and `take` are given; nothing if they are not asked. */
  due(user: User, shown: Shown): string | undefined | Promise<string | undefined>;
  form(user: User, why: string, faults: StepFaults): StepForm | Promise<StepForm>;
  take(answer: StepAnswer): Promise<StepResult>;
}

/** A step that a user is to take, and why. */
export interface DueStep {
  readonly name: string;
  readonly why: string;
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
  /** What a sign-in asks besides the password. */
  readonly step?: Step;
  readonly method?: SignInMethod;
  /** After the right password and the last step, before a session begins. What it throws refuses. */
  entering?(user: User, attempt: Attempt): void | Promise<void>;
  /** Why it cannot be chosen, as a sentence. */
  password?(chosen: Chosen): Promise<string | undefined>;
  /** Before a link for a new password is looked for. What it throws refuses. */
  lost?(lost: Lost): void | Promise<void>;
  /** What a form asks besides; `query`: of the address of its page. */
  besides?(form: FormName, query: Fields): Besides | undefined;
  /** Whether the sign-in page asks for the name first, and shows the ways to sign in on the next page. */
  asksNameFirst?(): boolean;
  /** What every page of the public site loads for it. */
  everywhere?(): Loaded | undefined;
  /** Pages about how this user signs in. */
  account?(user: User): readonly AccountLink[] | Promise<readonly AccountLink[]>;
  /** Whether addresses of authors say nothing of the name they sign in with. */
  hidesLogins?(): boolean;
  /** Whether a user who came with this credential cannot use this capability, although their roles give it. */
  withholds?(credential: Credential, capability: string): boolean;
}

export interface Checks {
  /** Returns how not to be asked any more. Throws, if the name of its step is taken. */
  also(check: Check): () => void;
  /** Nothing to wait for, where nobody has to be. */
  attempt(attempt: Attempt): void | Promise<void>;
  failed(attempt: FailedAttempt): Promise<void>;
  /** The steps that a user is to take, in this order. */
  due(user: User, shown: Shown): Promise<readonly DueStep[]>;
  step(name: string): Step | undefined;
  method(name: string): SignInMethod | undefined;
  entering(user: User, attempt: Attempt): Promise<void>;
  /** The first fault that anybody finds. */
  password(chosen: Chosen): Promise<string | undefined>;
  lost(lost: Lost): Promise<void>;
  besides(form: FormName, query: Fields): readonly Besides[];
  asksNameFirst(): boolean;
  everywhere(): readonly Loaded[];
  account(user: User): Promise<readonly AccountLink[]>;
  hidesLogins(): boolean;
  withholds(credential: Credential, capability: string): boolean;
}

export function createChecks(): Checks {
  const all = new Set<Check>();
  const steps = () => [...all].flatMap(({ step }) => step ?? []);
  const stepNamed = (name: string) => steps().find((step) => step.name === name);
  return {
    also(check) {
      if (check.step !== undefined && stepNamed(check.step.name) !== undefined)
        throw new Error(`The sign-in step "${check.step.name}" exists already.`);
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
    async due(user, shown) {
      const due: DueStep[] = [];
      for (const kind of ['proof', 'task'] as const)
        for (const step of steps().filter((one) => one.kind === kind)) {
          const why = await step.due(user, shown);
          if (why !== undefined) due.push({ name: step.name, why });
        }
      return due;
    },
    step: stepNamed,
    method: (name) => [...all].find(({ method }) => method?.name === name)?.method,
    async entering(user, attempt) {
      for (const check of all) await check.entering?.(user, attempt);
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
    asksNameFirst: () => [...all].some((check) => check.asksNameFirst?.() === true),
    everywhere: () => [...all].flatMap((check) => check.everywhere?.() ?? []),
    account: async (user) => {
      const links: AccountLink[] = [];
      for (const check of all) links.push(...((await check.account?.(user)) ?? []));
      return links;
    },
    hidesLogins: () => [...all].some((check) => check.hidesLogins?.() === true),
    // Capabilities are asked for often: nothing is made for it.
    withholds(credential, capability) {
      for (const check of all) if (check.withholds?.(credential, capability)) return true;
      return false;
    },
  };
}
