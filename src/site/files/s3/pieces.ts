import type { Body } from '../files.ts';

/** All but the last of a file are this long; some stores insist that they are equal. */
const pieceSize = 8 * 1024 ** 2;

export interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
  /** It is where it belongs, and its memory may be used again. */
  done(): void;
}

/** Memory for pieces, used again and again: given back to the system at this rate, it would come back in tatters. */
export interface Spare {
  take(): Buffer;
  give(memory: Buffer): void;
}

const mostSpare = 3;

export function createSpare(): Spare {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(pieceSize),
    give: (memory) => {
      if (memory.length === pieceSize && free.length < mostSpare) free.push(memory);
    },
  };
}

/** Most files are small. */
const small = 64 * 1024;

/** A body in pieces. There is always a last one, be it empty. */
export async function* pieces(body: Body, spare: Spare): AsyncGenerator<Piece> {
  if (body instanceof Uint8Array) return yield* slices(body);
  let memory: Buffer = Buffer.allocUnsafe(small);
  let filled = 0;
  const piece = (isLast: boolean): Piece => {
    const full = memory;
    return { bytes: full.subarray(0, filled), isLast, done: () => spare.give(full) };
  };
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === pieceSize) {
        yield piece(false);
        memory = spare.take();
        filled = 0;
      }
      if (filled === memory.length) memory = larger(memory, spare);
      const taken = Math.min(memory.length - filled, chunk.length - at);
      memory.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  yield piece(true);
}

function larger(memory: Buffer, spare: Spare): Buffer {
  const whole = spare.take();
  whole.set(memory);
  return whole;
}

function* slices(body: Uint8Array): Generator<Piece> {
  const done = () => {};
  let at = 0;
  for (; at + pieceSize < body.length; at += pieceSize)
    yield { bytes: body.subarray(at, at + pieceSize), isLast: false, done };
  yield { bytes: body.subarray(at), isLast: true, done };
}
