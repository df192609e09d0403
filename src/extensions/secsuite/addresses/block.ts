// Blocks of addresses, as people write them: one address, a network in CIDR notation, or an address with wildcards at its end.
// The subnet of an IPv6 address is its /64, in which a machine takes any address it likes.

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

export const subnetOf = (address: Block): Block => (address.family === 4 ? address : masked(6, address.words, 64));

/** The same of a text; what is no address is a network of its own. */
export function subnetIn(text: string): string {
  const address = text.includes(':') ? addressOf(text) : undefined;
  return address === undefined ? text : written(subnetOf(address));
}

/** Addresses are read from text sign by sign, because this is done for every request. */
const zero = 48;
const nine = 57;
const dot = 46;
const colon = 58;

/** The 32 bits of a dotted IPv4 address, or -1. A part with a nought in front might be meant octally, and is refused. */
const read4 = (text: string): number => read4From(text, 0);

function read4From(text: string, from: number): number {
  let word = 0;
  let at = from;
  for (let count = 1; count <= 4; count++) {
    const end = endOfPart(text, at);
    const part = partOf(text, at, end);
    if (part < 0) return -1;
    word = word * 256 + part;
    if (end === text.length) return count === 4 ? word : -1;
    if (text.charCodeAt(end) !== dot) return -1;
    at = end + 1;
  }
  return -1;
}

function endOfPart(text: string, from: number): number {
  let at = from;
  while (at - from < 4 && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** The number from 0 to 255, or -1. */
function partOf(text: string, from: number, end: number): number {
  if (end === from || (end > from + 1 && text.charCodeAt(from) === zero)) return -1;
  let part = 0;
  for (let at = from; at < end; at++) part = part * 10 + text.charCodeAt(at) - zero;
  return part > 255 ? -1 : part;
}

const isDigit = (sign: number): boolean => sign >= zero && sign <= nine;

/** The four words of an IPv6 address. It has no zone, which means something on one machine only. */
function read6(text: string): number[] | undefined {
  const groups = [0, 0, 0, 0, 0, 0, 0, 0];
  let count = 0;
  let gap = text.startsWith('::') ? 0 : -1;
  let at = gap < 0 ? 0 : 2;
  while (at < text.length) {
    const end = endOfGroup(text, at);
    if (text.charCodeAt(end) === dot) return endingIn4(text, at, groups, count, gap);
    if (end === at || end - at > 4 || count === 8) return undefined;
    groups[count++] = groupOf(text, at, end);
    if (end === text.length) break;
    at = afterColons(text, end, gap < 0);
    if (at < 0) return undefined;
    if (at === end + 2) gap = count;
  }
  return whole(groups, count, gap);
}

/** Where the next group begins, or the text ends after two colons; -1 where no group may follow. */
function afterColons(text: string, from: number, mayBeTwo: boolean): number {
  if (text.charCodeAt(from) !== colon || from + 1 === text.length) return -1;
  if (text.charCodeAt(from + 1) !== colon) return from + 1;
  return mayBeTwo ? from + 2 : -1;
}

function endingIn4(text: string, from: number, groups: number[], count: number, gap: number): number[] | undefined {
  const word = read4From(text, from);
  if (word < 0 || count > 6) return undefined;
  groups[count] = word >>> 16;
  groups[count + 1] = word & 0xffff;
  return whole(groups, count + 2, gap);
}

function endOfGroup(text: string, from: number): number {
  let at = from;
  while (at - from < 5 && hexOf(text.charCodeAt(at)) >= 0) at += 1;
  return at;
}

function groupOf(text: string, from: number, end: number): number {
  let group = 0;
  for (let at = from; at < end; at++) group = group * 16 + hexOf(text.charCodeAt(at));
  return group;
}

/** The words of so many groups of 16 bits, where `gap` says before which of them noughts were left out. */
function whole(groups: number[], count: number, gap: number): number[] | undefined {
  if (gap < 0 ? count !== 8 : count > 7) return undefined;
  if (gap >= 0) groups.copyWithin(8 - count + gap, gap, count).fill(0, gap, 8 - count + gap);
  const word = (at: number): number => ((groups[at]! << 16) | groups[at + 1]!) >>> 0;
  return [word(0), word(2), word(4), word(6)];
}

function hexOf(sign: number): number {
  if (isDigit(sign)) return sign - zero;
  const letter = (sign | 32) - 97;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
