// How work on a picture fails: it is none, it is too much of one, it takes too long, or there is no room for what is made.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';

/** Bytes that are no picture after all. */
export class Malformed extends Error {}
/** It took too long: what was asked for may still be made later. */
export class OutOfTime extends Error {}

export const most = {
  pixels: 100_000_000,
  bytes: 50 * 2 ** 20,
  frames: 500,
  /** Bytes that all pictures which are worked on at one time take together. */
  memory: 640 * 2 ** 20,
};

export const imageTooLarge = (): Problem =>
  new Problem(
    413,
    'image_too_large',
    'The picture is larger than this site works on: 100 megapixels, 50 MiB, 500 frames, and 640 MiB in memory.',
  );

export const refuseHeavy = (bytes: number): void => {
  if (bytes > most.bytes) throw imageTooLarge();
};

export const malformed = (cause: unknown): never => {
  throw new Malformed('It cannot be read as a picture.', { cause });
};

/** Libvips says in words alone what went wrong. */
export const failed = (error: unknown): never => {
  const said = error instanceof Error ? error.message : '';
  if (/timeout/i.test(said)) throw new OutOfTime(said, { cause: error });
  if (/No space left|quota exceeded|File too large/i.test(said))
    throw new OutOfSpace('There is no room left where pictures are worked on.', { cause: error });
  if (/: write error$/m.test(said)) throw new Unavailable('Pictures cannot be worked on just now.', { cause: error });
  return malformed(error);
};
