// Blocks as text that sorts as they do: by family, by first address, and of those that begin together the widest first.
import type { Block } from '../addresses/block.ts';

const hex = (word: number, digits: number): string => word.toString(16).padStart(digits, '0');

export const keyOf = ({ family, words, bits }: Block): string =>
  `${family}${words.map((word) => hex(word, 8)).join('')}${hex(bits, 2)}`;

/** What `keyOf` wrote. A million of them are read when a site starts. */
export function blockOf(key: string): Block {
  const words =
    key.length === 11 ? [wordAt(key, 1)] : [wordAt(key, 1), wordAt(key, 9), wordAt(key, 17), wordAt(key, 25)];
  const end = key.length - 2;
  return {
    family: words.length === 1 ? 4 : 6,
    words,
    bits: (digit(key.charCodeAt(end)) << 4) | digit(key.charCodeAt(end + 1)),
  };
}

function wordAt(key: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) word = (word << 4) | digit(key.charCodeAt(at));
  return word >>> 0;
}

const digit = (sign: number): number => (sign < 58 ? sign - 48 : sign - 87);
