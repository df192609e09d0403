// Addresses read from text, sign by sign: this is done for every request.

const zero = 48;
const nine = 57;
const dot = 46;
const colon = 58;

/** The 32 bits of a dotted IPv4 address, or -1. A part with a nought in front might be meant octally, and is refused. */
export const read4 = (text: string): number => read4From(text, 0);

function read4From(text: string, from: number): number {
  let word = 0;
  let part = -1;
  let dots = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign >= zero && sign <= nine) {
      if (part === 0) return -1;
      part = (part < 0 ? 0 : part * 10) + sign - zero;
      if (part > 255) return -1;
    } else if (sign === dot && part >= 0 && dots < 3) {
      word = word * 256 + part;
      part = -1;
      dots += 1;
    } else return -1;
  }
  return dots === 3 && part >= 0 ? word * 256 + part : -1;
}

/** The four words of an IPv6 address. It has no zone, which means something on one machine only. */
export function read6(text: string): number[] | undefined {
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
    at = end + 1;
    if (text.charCodeAt(end) !== colon || at === text.length) return undefined;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return undefined;
    gap = count;
    at += 1;
  }
  return whole(groups, count, gap);
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
  if (sign >= zero && sign <= nine) return sign - zero;
  const letter = (sign | 32) - 97;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
