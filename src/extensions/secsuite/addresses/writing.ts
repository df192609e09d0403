// Addresses written out, each in one way only: RFC 5952 says which that is for IPv6.

export const write4 = (word: number): string => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');

export function write6(words: readonly number[]): string {
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
