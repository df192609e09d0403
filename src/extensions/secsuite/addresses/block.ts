// Blocks of addresses, as people write them: one address, a network in CIDR notation, or an address with wildcards at its end.
import { read4, read6 } from './reading.ts';

export type Family = 4 | 6;

/** All addresses whose first `bits` bits are those of `words`; what comes after is nought. */
export interface Block {
  readonly family: Family;
  /** 32 bits each, the highest first: one of IPv4, four of IPv6. */
  readonly words: readonly number[];
  readonly bits: number;
}

/** How many bits an address has. */
const widthOf = (family: Family): number => (family === 4 ? 32 : 128);

/** Nothing longer is an address, however it is written. */
const longest = 64;

/** A single address. An IPv4 address inside an IPv6 one is the IPv4 address. */
export function addressOf(text: string): Block | undefined {
  if (text.length > longest) return undefined;
  const word = read4(text);
  if (word >= 0) return { family: 4, words: [word], bits: 32 };
  const words = read6(text);
  return words && unmapped({ family: 6, words, bits: 128 });
}

/** Whatever people may write where they name addresses. */
export function blockOf(text: string): Block | undefined {
  if (text.length > longest) return undefined;
  if (text.includes('*')) return text.includes('/') ? undefined : wildcards(text);
  const slash = text.indexOf('/');
  if (slash < 0) return addressOf(text);
  return network(text.slice(0, slash), text.slice(slash + 1));
}

function network(text: string, prefix: string): Block | undefined {
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  const word = read4(text);
  const words = word >= 0 ? [word] : read6(text);
  if (words === undefined) return undefined;
  const family = words.length === 1 ? 4 : 6;
  const bits = Number(prefix);
  return bits > widthOf(family) ? undefined : unmapped(masked(family, words, bits));
}

/** A wildcard stands for a whole part; only those at the end make a range. */
function wildcards(text: string): Block | undefined {
  const dot = text.includes(':') ? ':' : '.';
  const parts = text.split(dot);
  if (parts.some((part) => part !== '*' && part.includes('*'))) return undefined;
  const words = dot === '.' ? word4(parts) : read6(parts.map(nought).join(dot));
  if (words === undefined) return undefined;
  const family = words.length === 1 ? 4 : 6;
  const trailing = parts.length - 1 - parts.findLastIndex((part) => part !== '*');
  return unmapped(masked(family, words, widthOf(family) - trailing * (family === 4 ? 8 : 16)));
}

const nought = (part: string): string => (part === '*' ? '0' : part);

function word4(parts: readonly string[]): number[] | undefined {
  const word = read4(parts.map(nought).join('.'));
  return word >= 0 ? [word] : undefined;
}

/** The block that this address lies in. */
export function masked(family: Family, words: readonly number[], bits: number): Block {
  return { family, words: words.map((word, at) => (word & maskOf(bits - 32 * at)) >>> 0), bits };
}

/** A word whose first bits are set. */
const maskOf = (bits: number): number => (bits <= 0 ? 0 : bits >= 32 ? -1 : -1 << (32 - bits));

/** A request from there comes as one from the IPv4 address. */
function unmapped(block: Block): Block {
  const [first, second, third, last] = block.words;
  const isMapped = block.family === 6 && block.bits >= 96 && first === 0 && second === 0 && third === 0xffff;
  return isMapped ? { family: 4, words: [last!], bits: block.bits - 96 } : block;
}

export const isRange = ({ family, bits }: Block): boolean => bits < widthOf(family);

/** In the one way in which it is stored and shown. */
export function written(block: Block): string {
  const address = block.family === 4 ? write4(block.words[0]!) : write6(block.words);
  return isRange(block) ? `${address}/${block.bits}` : address;
}

/** Whether every address of the inner block is one of the outer. */
export function covers(outer: Block, inner: Block): boolean {
  if (outer.family !== inner.family || outer.bits > inner.bits) return false;
  return outer.words.every((word, at) => ((word ^ inner.words[at]!) & maskOf(outer.bits - 32 * at)) === 0);
}

/** Whether some address is in both: of two blocks that meet, one covers the other. */
export const intersects = (one: Block, other: Block): boolean => covers(one, other) || covers(other, one);

/** Every block that covers this one, itself first, and the widest last. */
export const around = ({ family, words, bits }: Block): Block[] =>
  Array.from({ length: bits + 1 }, (_, less) => masked(family, words, bits - less));

/** Each IP address is written in one way only, so that texts can be compared; RFC 5952 says how for IPv6. */
const write4 = (word: number): string => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');

function write6(words: readonly number[]): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const hex = groups.map((group) => group.toString(16));
  const { from, length } = longestNought(groups);
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, from).join(':')}::${hex.slice(from + length).join(':')}`;
}

/** The first of the longest runs of noughts. */
function longestNought(groups: readonly number[]): { readonly from: number; readonly length: number } {
  let best = { from: 0, length: 0 };
  let from = 0;
  for (const [at, group] of groups.entries()) {
    if (group !== 0) from = at + 1;
    else if (at + 1 - from > best.length) best = { from, length: at + 1 - from };
  }
  return best;
}
