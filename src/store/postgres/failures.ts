import { Crossed, OutOfSpace, Unavailable } from '#lib/failures.ts';
import { StoreProblem } from '../problem.ts';
import { SilentServer } from './client.ts';

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
const GONE = /^(Connection terminated|Query read timeout|Client has encountered a connection error)/;

const NO_ROOM = '53100';
const CROSSED = new Set(['40001', '40P01']); // serialization failure, deadlock

const codeOf = (error: Error): string => String((error as Error & { code?: unknown }).code ?? '');

const STANDBY = '25006'; // a writing connection finds the server read-only: it has not taken over yet
const ABORTED = '25P02'; // a statement after one that failed

export const away = (error: unknown): Unavailable => new Unavailable(unusable(error), { cause: error });

const unusable = (error: unknown): string => {
  const reason = error instanceof Error ? REASONS[codeOf(error)]?.[0] : undefined;
  return reason
    ? `The database cannot be used at the moment: ${reason}.`
    : 'The database cannot be reached at the moment.';
};

export const passedOver = (error?: unknown): Error =>
  new Error('A statement of this write failed, so the whole write was undone.', { cause: error });

// So the server also says of a statement with more values than it can count. Whatever stands between it and here says the same of
// itself, but names no routine of the server.
const isOurs = (error: Error & { readonly severity?: unknown; readonly routine?: unknown }): boolean =>
  codeOf(error) === '08P01' && error.severity === 'ERROR' && error.routine !== undefined;

// Classes 08 (connection) and 57P (the server is stopping, starting or was killed).
const isAway = (error: Error): boolean => {
  const code = codeOf(error);
  if (isOurs(error)) return false;
  if (error instanceof SilentServer) return true;
  if (AWAY.has(code) || /^(08|57P)/.test(code) || GONE.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isAway(one));
};

// While connecting the database takes nobody; of a statement it says that the statement came too early.
const NOT_NOW = '55000';
const isRefusal = (error: Error): boolean => codeOf(error) !== NOT_NOW && REASONS[codeOf(error)] !== undefined;

// The server says nothing more exact of it than where it found out.
const NOT_SUPPORTED = '0A000';

/** A statement was prepared when its tables had other columns: asked anew, under another name, it can be answered. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error &&
  codeOf(error) === NOT_SUPPORTED &&
  (error as Error & { readonly routine?: unknown }).routine === 'RevalidateCachedQuery';

/** What the floors above should see: our own failures where it is nobody's mistake, else the error itself. */
export function translate(error: unknown): unknown {
  if (error instanceof StoreProblem) return new Unavailable(error.message, { cause: error });
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  if (codeOf(error) === NO_ROOM) {
    return new OutOfSpace('The disk of the database is full, so nothing was saved.', { cause: error });
  }
  if (CROSSED.has(codeOf(error)) || isOutdated(error)) return new Crossed({ cause: error });
  if (isAway(error) || isRefusal(error)) return away(error);
  return error;
}

/** The same for what kept a connection from being made, where nothing that was asked can be the reason. */
export function refused(error: unknown): unknown {
  const known = translate(error);
  return isOfDatabase(known) ? away(known) : known;
}

// A mistake of this program is none of the database's.
const isOfDatabase = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof Unavailable || error instanceof OutOfSpace) &&
  !(error instanceof TypeError || error instanceof RangeError);

/** The same for a writing connection. */
export function translateWrite(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (codeOf(error) === STANDBY) return away(error);
  return codeOf(error) === ABORTED ? passedOver(error) : translate(error);
}

type Told = readonly [reason: string, remedy: string];

const GRANT: Told = [
  'the database user does not have the rights that a site needs',
  'make this user the owner of the database, as "create database site owner site" does',
];
const PARTS: Told = [
  'it lacks the extension pg_trgm, and the database user cannot create it',
  'let an administrator of the server run "create extension pg_trgm" in it',
];
const NO_NAME: Told = ['the host name does not exist', 'correct the host in the URL of the database'];
const DAMAGED: Told = ['it is damaged', 'stop the site and restore the last good copy'];

/** Codes that say nothing of what was asked, and all of the database or of whoever runs it. */
const REASONS: Record<string, Told> = {
  '28P01': ['the server refuses the password', 'correct the password'],
  '28000': ['the server refuses this database user', 'allow this user in pg_hba.conf of the server'],
  '3D000': ['the database does not exist', 'create it ("create database site owner site") or correct the name'],
  '55000': ['it does not allow connections', 'allow them ("alter database site allow_connections true")'],
  '42501': GRANT,
  '3F000': GRANT, // no schema it may make tables in
  '58030': ['its disk reports errors', 'check the disk of the server'],
  XX001: DAMAGED,
  XX002: DAMAGED,
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
};

const unusableFor = (place: string, [reason, remedy]: Told, cause?: unknown): StoreProblem =>
  new StoreProblem(`The database ${place} cannot be used: ${reason}`, remedy, { cause });

export const notGranted = (place: string): StoreProblem => unusableFor(place, GRANT);
export const withoutParts = (place: string): StoreProblem => unusableFor(place, PARTS);

/** One plain sentence for a known reason why the database cannot be opened or brought up to date. */
export function sentence(error: unknown, place: string): unknown {
  if (error instanceof StoreProblem || !(error instanceof Error)) return error;
  const told = error.message.includes('pg_trgm') ? PARTS : REASONS[codeOf(error)];
  if (told) return unusableFor(place, told, error);
  if (codeOf(error) === NO_ROOM) {
    return new StoreProblem(`The disk of the database ${place} is full`, 'free some space and start again', {
      cause: error,
    });
  }
  if (!isAway(error)) return error;
  return new StoreProblem(
    `The database ${place} cannot be reached`,
    'check that the server runs and that the URL is correct',
    {
      cause: error,
    },
  );
}

/** The same for whatever kept the first connection from being made. */
export function unopened(error: unknown, place: string): unknown {
  const known = sentence(error, place);
  if (known instanceof StoreProblem || !isOfDatabase(known)) return known;
  const reason = known.message.replace(/\.$/, '').replaceAll('\n', ' ');
  const fault = `The database ${place} cannot be used: ${reason}`;
  return new StoreProblem(fault, 'check the host, the port and the user in the URL of the database', { cause: error });
}
