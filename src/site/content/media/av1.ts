// How many pixels a decoder draws for an image that is coded as AV1, read from the first bytes of each of its units. Everything else
// in the file that states the size of a picture may be wrong.
import { damaged } from './heif.ts';

/** Bytes at a place of what is coded; fewer where it ends. */
export type Read = (at: number, bytes: number) => Promise<Buffer>;

interface Unit {
  readonly type: number;
  readonly start: number;
  readonly length: number;
}

const types = { sequence: 1, frameHeader: 3, frame: 6, tileList: 8 };
const headers = { unit: 10, sequence: 512 };

/** So many units have all images of a file together. */
export const mostUnits = 4_096;

interface Drawn {
  readonly pixels: number;
  /** How many are left for others. */
  readonly units: number;
}

/** By an image of `length` bytes, that may have so many units. */
export async function drawnBy(read: Read, length: number, units: number): Promise<Drawn> {
  let [at, left] = [0, units];
  let [size, pixels] = [0, 0];
  while (at < length) {
    if (left-- === 0) throw damaged('an image has too many units');
    const unit = unitIn(await read(at, headers.unit), at, length);
    at = unit.start + unit.length;
    if (unit.type === types.tileList) throw damaged('an image is a list of tiles');
    if (unit.type === types.sequence)
      size = Math.max(size, sequenceSize(await read(unit.start, Math.min(unit.length, headers.sequence))));
    if (unit.type === types.frame || unit.type === types.frameHeader) pixels += size;
  }
  if (pixels === 0) throw damaged('an image shows nothing');
  return { pixels, units: left };
}

function unitIn(head: Buffer, at: number, end: number): Unit {
  const first = head[0]!;
  const type = (first >> 3) & 15;
  const skipped = first & 4 ? 2 : 1;
  if ((first & 2) === 0) return { type, start: at + skipped, length: Math.max(0, end - at - skipped) };
  let [length, used] = [0, 0];
  for (;;) {
    const byte = head[skipped + used];
    if (byte === undefined || used === 8) throw damaged('a unit of an image has no length');
    length += (byte & 127) * 2 ** (7 * used++);
    if (byte < 128) break;
  }
  const start = at + skipped + used;
  if (start + length > end) throw damaged('a unit of an image breaks off');
  return { type, start, length };
}

/** How many pixels each picture of a sequence has at the most. */
function sequenceSize(bytes: Buffer): number {
  const bits = new Bits(bytes);
  bits.next(4);
  const isReduced = bits.next(1) === 1;
  if (isReduced) bits.next(5);
  else skipOperating(bits);
  const [across, down] = [bits.next(4) + 1, bits.next(4) + 1];
  return (bits.next(across) + 1) * (bits.next(down) + 1);
}

/** When pictures are to be shown, and how fast a decoder has to be. */
function skipOperating(bits: Bits): void {
  const delay = bits.next(1) === 1 ? skipTimes(bits) : undefined;
  const isDelayed = bits.next(1) === 1;
  const points = bits.next(5) + 1;
  for (let point = 0; point < points; point++) {
    bits.next(12);
    if (bits.next(5) > 7) bits.next(1);
    if (delay !== undefined && bits.next(1) === 1) {
      bits.next(delay);
      bits.next(delay);
      bits.next(1);
    }
    if (isDelayed && bits.next(1) === 1) bits.next(4);
  }
}

/** How many bits a delay has, where there are delays. */
function skipTimes(bits: Bits): number | undefined {
  bits.next(32);
  bits.next(32);
  if (bits.next(1) === 1) {
    let zeros = 0;
    while (bits.next(1) === 0) zeros++;
    bits.next(Math.min(zeros, 32));
  }
  if (bits.next(1) === 0) return undefined;
  const delay = bits.next(5) + 1;
  bits.next(32);
  bits.next(10);
  return delay;
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(bits: number): number {
    if (this.#at + bits > this.#bytes.length * 8) throw damaged('an image breaks off');
    let number = 0;
    for (const end = this.#at + bits; this.#at < end; this.#at++)
      number = number * 2 + ((this.#bytes[this.#at >> 3]! >> (7 - (this.#at & 7))) & 1);
    return number;
  }
}
