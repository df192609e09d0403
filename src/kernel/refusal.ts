// A failure of any kind as an answer.
import { Busy, Crossed, OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Reply } from './answer.ts';
import { type Caller, isNobody } from './caller.ts';
import { kernelErrors } from './errors.ts';
import { type ErrorBody, errorBody, Problem, statusOf } from './problem.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** Writes down a failure nobody meant. */
export type Report = (error: unknown, request: Request) => void;

/** What is not a refusal is a bug: reported with the request's id, and its insides kept from the client. */
export function refuse(report: Report, request: Request, error: unknown, caller: Caller, route?: Route): Reply {
  const anonymous = isNobody(caller);
  const problem = problemOf(report, request, error);
  const body = inFamily(errorBody(problem, anonymous, caller.roles), route);
  return { status: statusOf(problem, anonymous), headers: { ...problem.headers }, body, known: !anonymous };
}

/** The family's members beside the error's own, which they may add to and never replace. */
function inFamily(error: ErrorBody, route: Route | undefined): unknown {
  const family = route?.envelope?.failure(error);
  return family === undefined
    ? error
    : { ...family, success: false, ...error, data: { ...Object(family.data), ...error.data } };
}

function problemOf(report: Report, request: Request, error: unknown): Problem {
  if (error instanceof Problem) {
    if (error.cause instanceof Error && statusOf(error, false) === 500) report(error.cause, request);
    return error;
  }
  report(error, request);
  return outage(error) ?? kernelErrors.internalError().with({ reference: request.id });
}

/** What is nobody's mistake, and passes. */
export function outage(error: unknown): Problem | undefined {
  if (error instanceof OutOfSpace) {
    return kernelErrors.storageFull();
  }
  if (!(error instanceof Unavailable)) return undefined;
  if (error instanceof Busy) return kernelErrors.tooBusy('The database is busy.');
  const message =
    error instanceof Crossed
      ? 'Another request changed the same data at the same time, so nothing was changed. Try again.'
      : 'The site cannot reach its database or storage at the moment. Try again in 1 minute.';
  const headers = { 'Retry-After': String(error.retryAfter) };
  return kernelErrors.storageUnavailable(message).with({}, { headers });
}
