import type { Body } from '../files.ts';

/** All but the last of a file are this long; some stores insist that they are equal. */
export const pieceSize = 8 * 1024 ** 2;

export interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** A body in pieces. There is always a last one, be it empty. */
export async function* pieces(body: Body, size: number = pieceSize): AsyncGenerator<Piece> {
  if (body instanceof Uint8Array) return yield* slices(body, size);
  let piece = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === size) {
        yield { bytes: piece, isLast: false };
        piece = Buffer.allocUnsafeSlow(size);
        filled = 0;
      }
      const taken = Math.min(size - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  yield { bytes: piece.subarray(0, filled), isLast: true };
}

function* slices(body: Uint8Array, size: number): Generator<Piece> {
  let at = 0;
  for (; at + size < body.length; at += size) yield { bytes: body.subarray(at, at + size), isLast: false };
  yield { bytes: body.subarray(at), isLast: true };
}
