// Which of very many blocks cover an address: found in microseconds, and added to without being built anew. They stand in order in
// leaves of some hundred. Of two blocks that meet one lies within the other, so all that cover an address are the last that begins
// before it, or those around that one.
import type { Block, Family } from '../addresses/block.ts';
import {
  type Above,
  emptyLeaf,
  isLast,
  type Leaf,
  notBehind,
  placeIn,
  putInto,
  room,
  sameStart,
  splitOff,
  takeFrom,
} from './leaf.ts';

export interface Covering {
  readonly size: number;
  /** The number of the narrowest that covers the address. */
  find(address: Block): number | undefined;
  /** The numbers of all that cover it, the narrowest first. */
  all(address: Block): number[];
  /** Of the same block only the number that came last is kept. Quickest when they come in order. */
  put(block: Block, id: number): void;
  /** Takes the block away, if this is its number. */
  take(block: Block, id: number): void;
}

export function createCovering(): Covering {
  const families: Readonly<Record<Family, Leaves>> = { 4: leavesOf(1), 6: leavesOf(4) };
  return {
    get size() {
      return families[4].size() + families[6].size();
    },
    find: ({ family, words }) => families[family].found(words, 1)[0],
    all: ({ family, words }) => families[family].found(words, Number.POSITIVE_INFINITY),
    put: ({ family, words, bits }, id) => families[family].put(words, bits, id),
    take: ({ family, words, bits }, id) => families[family].take(words, bits, id),
  };
}

interface Leaves {
  size(): number;
  /** So many of those that cover the address, from the narrowest on. */
  found(words: readonly number[], most: number): number[];
  put(words: readonly number[], bits: number, id: number): void;
  take(words: readonly number[], bits: number, id: number): void;
}

/** `width`: how many words an address of the family has. */
function leavesOf(width: number): Leaves {
  const leaves: Leaf[] = [];
  let firsts = firstsOf(leaves, width);
  let size = 0;
  /** Which leaf the block stands in, or would. */
  const leafFor = (words: readonly number[], bits: number): number =>
    Math.max(0, notBehind(firsts, width, words, bits) - 1);
  /** After the leaves from here to there have changed. */
  const mend = (from: number, to: number, hasOtherFirst: boolean): void => {
    if (hasOtherFirst) firsts = firstsOf(leaves, width);
    reach(leaves, width, from, to);
  };
  return {
    size: () => size,
    found: (words, most) => {
      const leaf = leaves[leafFor(words, width * 32)];
      return leaf === undefined ? [] : foundIn(leaf, width, words, most);
    },
    put: (words, bits, id) => {
      const last = leaves.at(-1);
      if (last !== undefined && last.count < room && isLast(last, width, words, bits)) {
        size += 1;
        return putInto(last, width, last.count, words, bits, id);
      }
      const at = leafFor(words, bits);
      leaves[at] ??= emptyLeaf(width);
      const leaf = leaves[at];
      const known = placeIn(leaf, width, words, bits);
      if (known >= 0) {
        leaf.ids[known] = id;
        return mend(at, at, false);
      }
      size += 1;
      const place = notBehind(leaf, width, words, bits);
      if (leaf.count < room) {
        putInto(leaf, width, place, words, bits, id);
        return mend(at, at, place === 0);
      }
      const other = place === room ? emptyLeaf(width) : splitOff(leaf, width);
      leaves.splice(at + 1, 0, other);
      if (place <= leaf.count && leaf.count < room) putInto(leaf, width, place, words, bits, id);
      else putInto(other, width, place - leaf.count, words, bits, id);
      mend(at, at + 1, true);
    },
    take: (words, bits, id) => {
      const at = leafFor(words, bits);
      const leaf = leaves[at];
      const place = leaf === undefined ? -1 : placeIn(leaf, width, words, bits);
      if (leaf === undefined || place < 0 || leaf.ids[place] !== id) return;
      size -= 1;
      takeFrom(leaf, width, place);
      if (leaf.count === 0) leaves.splice(at, 1);
      mend(at, at, place === 0);
    },
  };
}

/** The first block of every leaf, in one piece: that is where a search begins. */
function firstsOf(leaves: readonly Leaf[], width: number): Pick<Leaf, 'count' | 'words' | 'bits'> {
  const words = new Uint32Array(leaves.length * width);
  const bits = new Uint8Array(leaves.length);
  for (let at = 0; at < leaves.length; at++) {
    const leaf = leaves[at]!;
    for (let word = 0; word < width; word++) words[at * width + word] = leaf.words[word]!;
    bits[at] = leaf.bits[0]!;
  }
  return { count: leaves.length, words, bits };
}

function foundIn(leaf: Leaf, width: number, words: readonly number[], most: number): number[] {
  const ids: number[] = [];
  let at = notBehind(leaf, width, words, width * 32) - 1;
  for (; at >= 0 && ids.length < most; at = leaf.outer[at]!)
    if (sameStart(leaf.words, at * width, words, 0, leaf.bits[at]!)) ids.push(leaf.ids[at]!);
  for (let above = leaf.above; above !== undefined && ids.length < most; above = above.next)
    if (sameStart(above.words, 0, words, 0, above.bits)) ids.push(above.id);
  return ids;
}

/** Says anew what reaches into these leaves, and into those behind them as far as that has changed. */
function reach(leaves: readonly Leaf[], width: number, from: number, to: number): void {
  for (let at = from; at < leaves.length; at++) {
    const leaf = leaves[at]!;
    const before = leaves[at - 1];
    const above = before && aboveOf(before, width, leaf);
    if (at > to && isSame(above, leaf.above)) return;
    leaf.above = above;
  }
}

/** What of the leaf before, and above that, covers the first block of a leaf. */
function aboveOf(before: Leaf, width: number, { words: first }: Leaf): Above | undefined {
  let above = before.above;
  while (above !== undefined && !sameStart(above.words, 0, first, 0, above.bits)) above = above.next;
  const inner: number[] = [];
  for (let at = before.count - 1; at >= 0; at = before.outer[at]!)
    if (sameStart(before.words, at * width, first, 0, before.bits[at]!)) inner.push(at);
  for (const at of inner.reverse()) {
    const words = [...before.words.subarray(at * width, (at + 1) * width)];
    above = { words, bits: before.bits[at]!, id: before.ids[at]!, next: above };
  }
  return above;
}

function isSame(one: Above | undefined, other: Above | undefined): boolean {
  let [mine, yours] = [one, other];
  // The same number says the same block, and what is around one block is around it in every leaf.
  for (; mine !== undefined && yours !== undefined && mine !== yours; mine = mine.next, yours = yours.next)
    if (mine.id !== yours.id) return false;
  return mine === yours;
}
