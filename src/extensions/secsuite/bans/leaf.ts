// Some hundred blocks of one family, in order, side by side in memory: by their first address, and of those that begin together the
// widest first. So whatever covers one of them stands before it.

/** How many stand in one. */
export const room = 1024;

/** A block of an earlier leaf that reaches into this one, and those of which it is a part. */
export interface Above {
  readonly words: readonly number[];
  readonly bits: number;
  readonly id: number;
  readonly next: Above | undefined;
}

export interface Leaf {
  count: number;
  readonly words: Uint32Array;
  readonly bits: Uint8Array;
  readonly ids: Float64Array;
  /** The narrowest of this leaf that covers it, or -1. */
  readonly outer: Int16Array;
  /** The narrowest of the leaves before that covers the first of this one, and so whatever else they cover here. */
  above: Above | undefined;
}

/** `width`: how many words an address has. */
export const emptyLeaf = (width: number): Leaf => ({
  count: 0,
  words: new Uint32Array(room * width),
  bits: new Uint8Array(room),
  ids: new Float64Array(room),
  outer: new Int16Array(room),
  above: undefined,
});

type Words = ArrayLike<number>;

/** Whether the first `bits` bits are the same, where addresses of so many words begin at these places. */
export function sameStart(one: Words, at: number, other: Words, from: number, bits: number): boolean {
  const whole = bits >>> 5;
  for (let word = 0; word < whole; word++) if (one[at + word] !== other[from + word]) return false;
  const rest = bits & 31;
  return rest === 0 || (one[at + whole]! ^ other[from + whole]!) >>> (32 - rest) === 0;
}

/** How many of the addresses in order, each of `width` words, are not behind this one; of equal ones those that are not narrower. */
export function notBehind(
  list: Pick<Leaf, 'words' | 'bits' | 'count'>,
  width: number,
  words: Words,
  bits: number,
): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(list, middle, width, words, bits)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isBehind(list: Pick<Leaf, 'words' | 'bits'>, at: number, width: number, words: Words, bits: number): boolean {
  for (let word = 0; word < width; word++) {
    const mine = list.words[at * width + word]!;
    if (mine !== words[word]) return mine > words[word]!;
  }
  return list.bits[at]! > bits;
}

/** Whether the block comes behind all of them. */
export function isLast(leaf: Leaf, width: number, words: Words, bits: number): boolean {
  const last = leaf.count - 1;
  if (isBehind(leaf, last, width, words, bits)) return false;
  return leaf.bits[last] !== bits || !sameStart(leaf.words, last * width, words, 0, width * 32);
}

/** Where exactly this block stands, or -1. */
export function placeIn(leaf: Leaf, width: number, words: Words, bits: number): number {
  const at = notBehind(leaf, width, words, bits) - 1;
  return at >= 0 && leaf.bits[at] === bits && sameStart(leaf.words, at * width, words, 0, width * 32) ? at : -1;
}

/** Puts a block where it belongs; there must be room. */
export function putInto(leaf: Leaf, width: number, at: number, words: Words, bits: number, id: number): void {
  const { count } = leaf;
  if (at < count) {
    leaf.words.copyWithin((at + 1) * width, at * width, count * width);
    leaf.bits.copyWithin(at + 1, at, count);
    leaf.ids.copyWithin(at + 1, at, count);
  }
  for (let word = 0; word < width; word++) leaf.words[at * width + word] = words[word]!;
  leaf.bits[at] = bits;
  leaf.ids[at] = id;
  leaf.count = count + 1;
  nest(leaf, width, at);
}

export function takeFrom(leaf: Leaf, width: number, at: number): void {
  const { count } = leaf;
  leaf.words.copyWithin(at * width, (at + 1) * width, count * width);
  leaf.bits.copyWithin(at, at + 1, count);
  leaf.ids.copyWithin(at, at + 1, count);
  leaf.count = count - 1;
  nest(leaf, width, at);
}

/** The second half of a full leaf, as one of its own. */
export function splitOff(leaf: Leaf, width: number): Leaf {
  const half = leaf.count >>> 1;
  const other = emptyLeaf(width);
  other.words.set(leaf.words.subarray(half * width, leaf.count * width));
  other.bits.set(leaf.bits.subarray(half, leaf.count));
  other.ids.set(leaf.ids.subarray(half, leaf.count));
  other.count = leaf.count - half;
  leaf.count = half;
  nest(other, width, 0);
  return other;
}

/** Says anew, from there on, what covers what: nothing that stands before is covered by anything behind it. */
function nest(leaf: Leaf, width: number, from: number): void {
  for (let at = from; at < leaf.count; at++) {
    let outer = at - 1;
    while (outer >= 0 && !sameStart(leaf.words, outer * width, leaf.words, at * width, leaf.bits[outer]!))
      outer = leaf.outer[outer]!;
    leaf.outer[at] = outer;
  }
}
