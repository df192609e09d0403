// Texts drawn by a pattern.
import type { Draws } from '#lib/draws.ts';
import { type Pattern, type Range, readPattern } from './pattern.ts';

/** Throws `Unreadable`, before anything is drawn. */
export function regexify(template: string): (draws: Draws) => string {
  const pattern = readPattern(template);
  return (draws) => drawn(pattern, draws);
}

function drawn(pattern: Pattern, draws: Draws): string {
  if (pattern.kind === 'one') return letterOf(pattern.of, draws);
  if (pattern.kind === 'choice') return drawn(draws.pick(pattern.among), draws);
  if (pattern.kind === 'sequence') return pattern.parts.map((part) => drawn(part, draws)).join('');
  const times = draws.integer(pattern.least, pattern.most);
  return Array.from({ length: times }, () => drawn(pattern.what, draws)).join('');
}

/** Each letter of a set as likely as the next one. */
function letterOf(ranges: readonly Range[], draws: Draws): string {
  const count = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  let left = draws.integer(0, count - 1);
  for (const [from, to] of ranges) {
    if (left <= to - from) return String.fromCodePoint(from + left);
    left -= to - from + 1;
  }
  throw new RangeError('A letter was drawn that is in no set.');
}
