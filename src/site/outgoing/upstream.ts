import { Problem, problemFrom } from '#kernel/problem.ts';
import { outgoingErrors } from './errors.ts';

interface Details extends ErrorOptions {
  readonly retryAfter?: string | undefined;
}

/** The other side did not answer as it should. Whoever asks says it with a code of its own: `.catch(refusing(code))`. */
export class Upstream extends Error {
  readonly fault: 'unreachable' | 'late' | 'status' | 'type' | 'size' | 'redirects' | 'broken';
  /** Of the answer, where there was one. */
  readonly status: number | undefined;
  /** When to ask again, as the answer says it. */
  readonly retryAfter: string | undefined;

  constructor(fault: Upstream['fault'], message: string, status?: number, options: Details = {}) {
    super(message, options);
    this.name = 'Upstream';
    this.fault = fault;
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}

/** An answer that is an error. */
export const answeredBy = (status: number, retryAfter?: string): Upstream =>
  new Upstream('status', `The other server answered with an error (${status}).`, status, { retryAfter });

/** Makes the refusal of a route of what the other side did wrong: 504 when it was late, else 502. */
export const refusing =
  (code: string) =>
  (error: unknown): never => {
    if (!(error instanceof Upstream)) throw error;
    throw problemFrom(error.fault === 'late' ? 504 : 502, { code, message: error.message }, { cause: error });
  };

/** One sentence for every reason: which of them it was would tell what there is behind the site. */
export const unsafe = (cause?: unknown): Problem => outgoingErrors.unsafeUrl().because(cause);

/** Whether it was refused because nobody knows the name in the address. For the log and the program: no answer tells it. */
export const isNameless = (error: unknown): boolean =>
  error instanceof Problem && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOTFOUND';

/** What went wrong while they spoke. That time is up is told as such, whatever it broke. */
export function broken(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Upstream || (error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG') return error;
  return new Upstream('broken', 'The answer of the other server is not valid.', undefined, { cause: error });
}
