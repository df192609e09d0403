// What an object store does wrong, in one sentence that somebody can act on. No key, signature or address with one is in it.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';

/** What the store answered instead of what it was asked for. */
export interface Refused {
  readonly status: number;
  /** Its own name for it; an answer to HEAD has none. */
  readonly code?: string | undefined;
  /** Where the bucket really is, if that was the matter. */
  readonly region?: string | undefined;
}

export const away = (sentence: string): Unavailable =>
  new Unavailable(`${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`);

export const replaced = (place: string): Unavailable => away(`A file in ${place} was replaced while it was read`);

const full = /^(?:QuotaExceeded|XMinioStorageFull|InsufficientStorage|.*QuotaExceeded)$/;
const wrongKey = /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSecurity|AuthorizationQueryParametersError)$/;
const elsewhere = /^(?:PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/;

const plain = (text: string | undefined): string => (text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : '');

export function refusalOf({ status, code = '', region }: Refused, place: string): Error {
  if (status === 507 || full.test(code)) return new OutOfSpace(`The storage of ${place} is full.`);
  if (status === 412) return replaced(place);
  return away(sentence(status, code, plain(region), place));
}

function sentence(status: number, code: string, region: string, place: string): string {
  if (code === 'RequestTimeTooSkewed')
    return `The clocks of this machine and of ${place} differ by more than 15 minutes`;
  if (wrongKey.test(code)) return `${place} refuses the access key: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`;
  if (code === 'NoSuchBucket') return `${place} does not exist`;
  if (elsewhere.test(code) || status === 301 || status === 307)
    return `${place} is in another region${region === '' ? '' : `, ${region}`}: add "region=…" to GATEHOUSE_MEDIA`;
  if (status === 401 || status === 403) return `The access key does not have the right to do this in ${place}`;
  const name = plain(code);
  return `${place} answers with an error (${status}${name === '' ? '' : ` ${name}`})`;
}

/** Asking again may help. */
export const passes = ({ status, code = '' }: Refused): boolean =>
  (status >= 500 && status !== 501 && status !== 507) ||
  [408, 429].includes(status) ||
  /^(?:RequestTimeout|InternalError|ServiceUnavailable|SlowDown|OperationAborted)$/.test(code);

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code ?? (cause === undefined ? '' : codeOf(cause));
};

const untrusted = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_/;

/** Whether the way to the store is broken, rather than our own program. */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof Unavailable || error instanceof Problem) && codeOf(error) !== '';

export const isUntrusted = (error: unknown): boolean => untrusted.test(codeOf(error));

export function brokenOf(error: unknown, place: string): Unavailable {
  const code = codeOf(error);
  if (isUntrusted(error)) return away(`${place} has a certificate that is not trusted (${code})`);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return away(`${place} does not answer within the time limit`);
  if (code === 'UND_ERR_SOCKET') return away(`${place} closed the connection`);
  return away(`${place} cannot be reached (${code})`);
}
