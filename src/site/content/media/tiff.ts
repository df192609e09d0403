// The few words and numbers that are shown of what a camera wrote. Anybody may have written it: each is read once, in the form it
// ought to have and no longer than is shown, whatever lengths and places are claimed.

/** By number, as they are called in records of what cameras say. */
const names: Readonly<Record<number, string>> = {
  270: 'ImageDescription',
  272: 'Model',
  315: 'Artist',
  33432: 'Copyright',
  33434: 'ExposureTime',
  33437: 'FNumber',
  34855: 'ISO',
  36867: 'DateTimeOriginal',
  36868: 'CreateDate',
  37386: 'FocalLength',
};
const deeper = 0x8769;
const [text, short, long, ratio] = [2, 3, 4, 5];

/** Bytes that are looked at, entries of one list, and letters of one text. */
const most = { bytes: 64 * 1_024, entries: 200, letters: 4_000 };

type Value = string | number | undefined;

export function tiffSays(bytes: Buffer): Record<string, Value> {
  if (bytes.length > most.bytes) return {};
  const isLittle = bytes.toString('latin1', 0, 2) === 'II';
  if (!isLittle && bytes.toString('latin1', 0, 2) !== 'MM') return {};
  const said: Record<string, Value> = {};
  const reader = new Reader(bytes, isLittle);
  const inside = reader.entries(reader.number(4, 4), said);
  if (inside !== undefined) reader.entries(inside, said);
  return said;
}

class Reader {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer, isLittle: boolean) {
    this.#bytes = bytes;
    this.#isLittle = isLittle;
  }

  /** Nothing where there is no such place. */
  number(at: number, bytes: 2 | 4): number {
    if (!(at + bytes <= this.#bytes.length)) return Number.NaN;
    return this.#isLittle ? this.#bytes.readUIntLE(at, bytes) : this.#bytes.readUIntBE(at, bytes);
  }

  /** Where the list goes on inside, if it does. */
  entries(list: number, said: Record<string, Value>): number | undefined {
    const count = Math.min(this.number(list, 2) || 0, most.entries);
    let inside: number | undefined;
    for (let at = list + 2; at < list + 2 + count * 12; at += 12) {
      const tag = this.number(at, 2);
      const name = names[tag];
      if (name !== undefined) said[name] ??= this.#value(at);
      if (tag === deeper) inside = this.number(at + 8, 4);
    }
    return inside;
  }

  #value(at: number): Value {
    const [type, count, place] = [this.number(at + 2, 2), this.number(at + 4, 4), this.number(at + 8, 4)];
    if (type === short) return this.number(at + 8, 2);
    if (type === long) return place;
    if (type === ratio) return this.number(place, 4) / this.number(place + 4, 4);
    if (type !== text) return undefined;
    const start = count <= 4 ? at + 8 : place;
    return this.#bytes.toString('utf8', start, start + Math.min(count, most.letters)).replace(/\0[\s\S]*$/, '');
  }
}
