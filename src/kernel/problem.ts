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
}

/** The only refusal there is. Handlers throw it; `dispatch` turns it into the error body. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly details: Details;
  readonly headers: Record<string, string>;
  readonly others: readonly Reason[];
  readonly also: readonly unknown[];

  constructor(
    status: ProblemStatus,
    code: string,
    message: string,
    details: Details = {},
    { headers = {}, others = [], also = [], cause }: More = {},
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
  }

  /** The same refusal in other words. */
  saying(message: string): Problem {
    const { status, code, details, headers, others, also, cause } = this;
    return new Problem(status, code, message, details, { headers, others, also, cause });
  }
}

/** Not allowed: 401 when nobody asks, 403 when somebody does. */
export const denied = (code: string, message: string): Problem => new Problem('denied', code, message);

/** More at once than there is room for. `message` says of what. */
export const tooBusy = (message: string): Problem =>
  new Problem(
    503,
    'rest_too_busy',
    `${message} Please try again in a moment.`,
    {},
    { headers: { 'Retry-After': '5' } },
  );

/** The client closed the connection: nobody reads this. */
export const clientLeft = (): Problem =>
  new Problem(503, 'rest_client_left', 'The client closed the connection before the answer was made.');

export interface ErrorBody {
  code: string;
  message: string;
  data: { status: number } & Details;
  additional_data?: readonly unknown[];
  additional_errors?: { code: string; message: string; data: Details | null }[];
}

export const statusOf = (problem: Problem, anonymous: boolean): number =>
  problem.status === 'denied' ? (anonymous ? 401 : 403) : problem.status;

export function errorBody(problem: Problem, anonymous: boolean): ErrorBody {
  const status = statusOf(problem, anonymous);
  const data = Object.assign({ status }, problem.details, { status });
  const body: ErrorBody = { code: problem.code, message: problem.message, data };
  if (problem.also.length > 0) body.additional_data = problem.also;
  if (problem.others.length > 0) body.additional_errors = problem.others.map(asAdditional);
  return body;
}

const asAdditional = ({ code, message, data = null }: Reason) => ({ code, message, data });
