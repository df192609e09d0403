import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { StoreProblem } from '../problem.ts';

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // a socket that is not there
  '53300', // too many connections
  '55P03', // lock not available
]);

// The client's own words for a connection that is gone: they carry no code.
const GONE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

const NO_ROOM = '53100';
const CROSSED = new Set(['40001', '40P01']); // serialization failure, deadlock

const codeOf = (error: Error): string => String((error as Error & { code?: unknown }).code ?? '');

const STANDBY = '25006'; // a writing connection finds the server read-only: it has not taken over yet
const ABORTED = '25P02'; // a statement after one that failed

export const away = (error: unknown): Unavailable =>
  new Unavailable('The database cannot be reached at the moment.', { cause: error });

export const passedOver = (error?: unknown): Error =>
  new Error('A statement of this write failed and was passed over, so all of it was undone.', { cause: error });

// Classes 08 (connection) and 57P (the server is stopping, starting or was killed).
const isAway = (error: Error): boolean => {
  const code = codeOf(error);
  if (AWAY.has(code) || /^(08|57P)/.test(code) || GONE.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isAway(one));
};

/** What the floors above should see: our own failures where it is nobody's mistake, else the error itself. */
export function translate(error: unknown): unknown {
  if (error instanceof StoreProblem) return new Unavailable(error.message, { cause: error });
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  if (codeOf(error) === NO_ROOM) {
    return new OutOfSpace('There is no space left where the database is kept, so nothing was saved.', { cause: error });
  }
  if (CROSSED.has(codeOf(error))) {
    const message = 'Two writes crossed, so this one was undone. Please try again.';
    return new Unavailable(message, { cause: error, retryAfter: 1 });
  }
  if (isAway(error)) return away(error);
  return error;
}

/** The same for a writing connection. */
export function translateWrite(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (codeOf(error) === STANDBY) return away(error);
  return codeOf(error) === ABORTED ? passedOver(error) : translate(error);
}

const REASONS: Record<string, string> = {
  '28P01': 'it does not accept the password',
  '28000': 'it does not let this user in',
  '3D000': 'it has no database of that name',
  '42501': 'this user may not use it',
  ENOTFOUND: 'no machine of that name is known',
  EAI_AGAIN: 'no machine of that name is known',
};

/** One plain sentence for whatever kept the database from being opened. */
export function sentence(error: unknown, place: string): unknown {
  if (error instanceof StoreProblem || !(error instanceof Error)) return error;
  const reason = REASONS[codeOf(error)];
  if (reason) return new StoreProblem(`The database ${place} cannot be used: ${reason}.`, { cause: error });
  if (!isAway(error)) return error;
  return new StoreProblem(`The database ${place} cannot be reached; see that it runs and that the address is right.`, {
    cause: error,
  });
}
