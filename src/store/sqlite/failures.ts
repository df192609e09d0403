import { OutOfSpace, Unavailable } from '#lib/failures.ts';

const BUSY = 5;
const LOCKED = 6;
const IO = 10;
const READ_ONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NO_DATABASE = 26;
const NO_ROOM_FOR_INDEX = 4874; // SQLITE_IOERR_SHMSIZE: the index of the write-ahead log cannot grow

/** SQLite's number for what went wrong, `undefined` when it was not SQLite that complained. */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && typeof (error as { errcode?: unknown }).errcode === 'number'
    ? (error as unknown as { errcode: number }).errcode
    : undefined;

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes((codeOf(error) ?? 0) & 0xff);

/** What the floors above should see: our own failures where it is nobody's mistake, else the error itself. */
export function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === NO_ROOM_FOR_INDEX || (code & 0xff) === FULL) {
    return new OutOfSpace('The disk of the database is full, so nothing was saved.', { cause: error });
  }
  if (isBusy(error)) {
    return new Unavailable('The database is busy with other writes. Try again in 5 seconds.', {
      cause: error,
      retryAfter: 1,
    });
  }
  if ((code & 0xff) === IO || (code & 0xff) === CANNOT_OPEN) {
    return new Unavailable('The database file cannot be reached at the moment.', { cause: error });
  }
  if ((code & 0xff) === CORRUPT || (code & 0xff) === NO_DATABASE) {
    const message = 'The database file is damaged; stop the site and restore the last good copy.';
    return new Unavailable(message, { cause: error, retryAfter: 60 });
  }
  return error;
}

/** The same for the connection that writes. The one that reads is read-only on purpose: there it is a fault of the program. */
export function translateWrite(error: unknown): unknown {
  if (((codeOf(error) ?? 0) & 0xff) !== READ_ONLY) return translate(error);
  const message = 'The database file is not writable; allow this system user to write the file and its folder.';
  return new Unavailable(message, { cause: error, retryAfter: 60 });
}
