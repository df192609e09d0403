/** What every refusal carries besides its status. */
export type Details = Record<string, unknown>;

/** `'denied'` becomes 401 for nobody and 403 for somebody: who asks decides, and the thrower need not know. */
type ProblemStatus = number | 'denied';

export interface Reason {
  code: string;
  message: string;
  data?: Details | null;
}

/** What a refusal may carry beyond the ordinary. */
interface More {
  readonly headers?: Record<string, string>;
  /** Further reasons for the same refusal. */
  readonly others?: readonly Reason[];
  /** Further details of the same reason. */
  readonly also?: readonly unknown[];
  readonly cause?: unknown;
  /** What the caller may not do, as the end of a sentence. The answer then says who may. */
  readonly phrase?: string | undefined;
}

/** The only refusal there is. Handlers throw it; `dispatch` turns it into the error body. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly details: Details;
  readonly headers: Record<string, string>;
  readonly others: readonly Reason[];
  readonly also: readonly unknown[];
  readonly phrase: string | undefined;

  constructor(
    status: ProblemStatus,
    code: string,
    message: string,
    details: Details = {},
    { headers = {}, others = [], also = [], cause, phrase }: More = {},
  ) {
    // A refusal is an answer, not a fault: nobody reads where it was made, and finding that out is most of its cost.
    const depth = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = depth;
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.others = others;
    this.also = also;
    this.phrase = phrase;
  }

  /** The same refusal with further details, or in other words. */
  with(details: Details, more: More & { readonly message?: string } = {}): Problem {
    const { message = this.message, headers = this.headers, others = this.others, also = this.also } = more;
    const phrase = more.message === undefined ? this.phrase : undefined;
    const rest = { headers, others, also, phrase, cause: more.cause ?? this.cause };
    return new Problem(this.status, this.code, message, { ...this.details, ...details }, rest);
  }

  saying(message: string): Problem {
    return this.with({}, { message });
  }

  because(cause: unknown): Problem {
    return this.with({}, { cause });
  }
}

/** Not allowed: 401 when nobody asks, 403 when somebody does. */
export const denied = (code: string, message: string): Problem => new Problem('denied', code, message);

/** A refusal whose code is computed, or that passes on what others refused. */
export const problemFrom = (status: ProblemStatus, { code, message, data }: Reason, more?: More): Problem =>
  new Problem(status, code, message, data ?? {}, more);

/** One line of a table of errors: thrown by its name, and listed in docs/errors.md. */
export interface ErrorDefinition<Args extends readonly unknown[] = never> {
  (...args: Args): Problem;
  readonly status: ProblemStatus;
  readonly code: string;
  readonly sentence: string | ((...args: Args) => string);
}

export type ErrorTable = Readonly<Record<string, ErrorDefinition>>;

/** Declares an error: the only place that says its code, with its status and its sentence. */
export function defineError<Args extends readonly unknown[] = []>(
  status: ProblemStatus,
  code: string,
  sentence: string | ((...args: Args) => string),
  more: More = {},
): ErrorDefinition<Args> {
  const make = (...args: Args): Problem =>
    new Problem(status, code, typeof sentence === 'string' ? sentence : sentence(...args), {}, more);
  return Object.assign(make, { status, code, sentence });
}

/** An error that says in a phrase what the caller may not do. */
export type Denial = ErrorDefinition<[phrase?: string]>;

/** Declares a denial with its default phrase; where it is thrown, another may be said. */
export function defineDenial(code: string, defaultPhrase: string): Denial {
  const sentence = (phrase: string = defaultPhrase): string => `Your account cannot ${phrase}.`;
  const make = (phrase: string = defaultPhrase): Problem =>
    new Problem('denied', code, sentence(phrase), {}, { phrase });
  return Object.assign(make, { status: 'denied' as const, code, sentence });
}

/** For errors of one code whose sentence depends on the place. */
export const asSaid = (sentence: string): string => sentence;

/** Throws as part of an expression. */
export function raise(problem: Problem): never {
  throw problem;
}

export interface ErrorBody {
  code: string;
  message: string;
  data: { status: number } & Details;
  additional_data?: readonly unknown[];
  additional_errors?: { code: string; message: string; data: Details | null }[];
}

export const statusOf = (problem: Problem, anonymous: boolean): number =>
  problem.status === 'denied' ? (anonymous ? 401 : 403) : problem.status;

/** A visitor is told to sign in, and a signed-in user which of their roles are not enough. */
function messageFor({ phrase, message }: Problem, anonymous: boolean, roles: readonly string[]): string {
  if (phrase === undefined) return message;
  if (anonymous) return `Sign in with an account that can ${phrase}.`;
  if (roles.length === 0) return message;
  return `Your account (role ${roles.join(', ')}) cannot ${phrase}.`;
}

/** `roles`: what the roles of the signed-in user are called. */
export function errorBody(problem: Problem, anonymous: boolean, roles: readonly string[] = []): ErrorBody {
  const status = statusOf(problem, anonymous);
  const data = Object.assign({ status }, problem.details, { status });
  const body: ErrorBody = { code: problem.code, message: messageFor(problem, anonymous, roles), data };
  if (problem.also.length > 0) body.additional_data = problem.also;
  if (problem.others.length > 0) body.additional_errors = problem.others.map(asAdditional);
  return body;
}

const asAdditional = ({ code, message, data = null }: Reason) => ({ code, message, data });
