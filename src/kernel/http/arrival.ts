// What arriving bodies may take together: memory for all of them, and the patience of whoever waits for one.
import type { IncomingMessage } from 'node:http';
import { kernelErrors } from '../errors.ts';
import { Problem } from '../problem.ts';
import type { Limits } from './limits.ts';

/** What a request whose client waits for leave to send its body is told once somebody reads it. */
export const wanted = 'wanted';

/** The memory of all bodies that are under way. */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

export interface Arrival {
  /** Reads what is still to arrive of a message: meanwhile other requests are worked on. */
  apart<T>(message: IncomingMessage, read: () => Promise<T>): Promise<T>;
  readonly room: Room;
  /** How long a body may lie still, in milliseconds. */
  readonly stillness: number;
  /** How long a body that is no upload may take. */
  readonly whole: number;
}

export const createArrival = (
  { bodyTimeout, requestTimeout, bodiesTogether }: Limits,
  { apart }: Pick<Arrival, 'apart'>,
): Arrival => ({
  apart,
  room: new Room(bodiesTogether),
  stillness: bodyTimeout,
  whole: requestTimeout,
});

export const tooLarge = (limit: number): Problem =>
  kernelErrors.bodyTooLarge(`The body is too large. This URL accepts at most ${limit} bytes.`);

const tooMuchAtOnce = (): Problem => kernelErrors.tooBusy('The site is receiving too much data at the moment.');

export const incomplete = (cause?: unknown): Problem => kernelErrors.bodyIncomplete().because(cause);

/** Gives up when the body is too large, too much beside the others, or lies still; what is not read of it stays unread. */
export const arriving = <T>(
  message: IncomingMessage,
  limit: number,
  arrival: Arrival,
  read: () => Promise<T>,
): Promise<T> =>
  message.complete
    ? arrived(message, limit, arrival, read)
    : arrival.apart(message, () => watched(message, limit, arrival, read));

/** All of it is here, as most bodies are once it is known who sends them: nobody has to be waited for. */
async function arrived<T>(
  message: IncomingMessage,
  limit: number,
  { room }: Arrival,
  read: () => Promise<T>,
): Promise<T> {
  const { readableLength: length } = message;
  if (message.destroyed) throw incomplete();
  if (length > limit) throw tooLarge(limit);
  if (!room.take(length)) throw tooMuchAtOnce();
  try {
    return await read();
  } finally {
    room.give(length);
  }
}

async function watched<T>(
  message: IncomingMessage,
  limit: number,
  { room, stillness, whole }: Arrival,
  read: () => Promise<T>,
): Promise<T> {
  if (Number(message.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (message.destroyed) throw incomplete();
  message.emit(wanted);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const patience = setTimeout(() => fail(kernelErrors.requestTimeout()), stillness);
  const end = setTimeout(() => fail(kernelErrors.requestTimeout()), whole);
  let taken = 0;
  const count = (chunk: Buffer): void => {
    patience.refresh();
    if (taken + chunk.length > limit) fail(tooLarge(limit));
    else if (!room.take(chunk.length)) fail(tooMuchAtOnce());
    else taken += chunk.length;
  };
  message.on('data', count);
  message.once('error', (error) => fail(incomplete(error)));
  message.once('close', () => message.complete || fail(incomplete()));
  try {
    return await Promise.race([read(), failed]);
  } finally {
    clearTimeout(patience);
    clearTimeout(end);
    message.off('data', count).unpipe().pause();
    room.give(taken);
  }
}

/** Piece by piece, as fast as they are taken; gives up when the client lets it lie still, not when whoever takes them is slow. */
export async function* patiently(message: IncomingMessage, { stillness }: Arrival): AsyncGenerator<Uint8Array> {
  if (message.destroyed) throw incomplete();
  message.emit(wanted);
  // The answer still has to go out on the same connection.
  const pieces = message.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await within(stillness, pieces.next());
      if (next.done) break;
      yield next.value;
    }
  } catch (error) {
    throw error instanceof Problem ? error : incomplete(error);
  }
  if (!message.complete) throw incomplete();
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const patience = setTimeout(() => reject(kernelErrors.requestTimeout()), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(patience);
  }
}
