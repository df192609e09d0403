import { Problem } from '#kernel/problem.ts';

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
  new Upstream('status', `The other side answered with an error (${status}).`, status, { retryAfter });

/** Makes the refusal of a route of what the other side did wrong: 504 when it was late, else 502. */
export const refusing =
  (code: string) =>
  (error: unknown): never => {
    if (!(error instanceof Upstream)) throw error;
    throw new Problem(error.fault === 'late' ? 504 : 502, code, error.message, {}, { cause: error });
  };

/** One sentence for every reason: which of them it was would tell what there is behind the site. */
export const unsafe = (): Problem =>
  new Problem(
    400,
    'unsafe_url',
    'This address cannot be used. Please give the full address of something on the public web.',
  );
