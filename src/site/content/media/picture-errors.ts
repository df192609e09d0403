// How work on a picture fails: the file is no picture, the picture is too large, the work takes too long, or the disk is full.
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { contentErrors } from '../errors.ts';

/** The bytes are not a picture. */
export class Malformed extends Error {}
/** The work took too long. A later attempt may succeed. */
export class OutOfTime extends Error {}

export const pictureLimits = {
  pixels: 100_000_000,
  bytes: 50 * 2 ** 20,
  frames: 500,
  /** Bytes that all pictures in work at one time take together. */
  memory: 640 * 2 ** 20,
};

export const refuseHeavy = (bytes: number): void => {
  if (bytes > pictureLimits.bytes) throw contentErrors.imageTooLarge();
};

export const malformed = (cause: unknown): never => {
  throw new Malformed('The file is not a picture that this site can read.', { cause });
};

/** Libvips tells what went wrong in words alone. */
export const failed = (error: unknown): never => {
  const said = error instanceof Error ? error.message : '';
  if (/timeout/i.test(said)) throw new OutOfTime(said, { cause: error });
  if (/No space left|quota exceeded|File too large/i.test(said))
    throw new OutOfSpace('The disk for temporary picture files is full.', { cause: error });
  if (/: write error$/m.test(said)) throw new Unavailable('Pictures cannot be edited at the moment.', { cause: error });
  return malformed(error);
};
