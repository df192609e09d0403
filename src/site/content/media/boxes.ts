// Boxes: how files are put together that hold pictures of the kind AVIF. Anybody may have made them: a box that does not lie within
// the one around it, and a number that is not there, make the picture a damaged one.
import { Malformed } from './failing.ts';

export const damaged = (why: string): Malformed => new Malformed(`The boxes of the picture are damaged: ${why}.`);

export interface Box {
  readonly type: string;
  /** What it holds, without its length and type. */
  readonly inside: Numbers;
}

/** Numbers that follow one another. */
export class Numbers {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** Of so many bytes, and none for none. */
  next(bytes: number): number {
    const taken = this.take(bytes);
    if (bytes === 0) return 0;
    const number = bytes === 8 ? Number(taken.readBigUInt64BE()) : taken.readUIntBE(0, bytes);
    if (!Number.isSafeInteger(number)) throw damaged('a number is too large');
    return number;
  }

  take(bytes: number): Buffer {
    if (bytes > this.left) throw damaged('something breaks off');
    this.#at += bytes;
    return this.bytes.subarray(this.#at - bytes, this.#at);
  }

  text(bytes: number): string {
    return this.take(bytes).toString('latin1');
  }

  /** All boxes that follow, up to the end. */
  boxes(most: number): Box[] {
    const found: Box[] = [];
    while (this.left > 0) {
      if (found.length === most) throw damaged('there are too many');
      const length = this.next(4);
      const type = this.text(4);
      if (length < 8) throw damaged('one has no length');
      found.push({ type, inside: new Numbers(this.take(length - 8)) });
    }
    return found;
  }
}
