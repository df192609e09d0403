// Bans as people write many of them: one a line, with a note behind a hash sign.
import { Problem } from '#kernel/problem.ts';
import { type Block, blockOf } from '../addresses/block.ts';

export interface Line {
  readonly block: Block;
  readonly note: string;
}

/** How long what is said of a ban may be. */
export const longestNote = 255;

/** So many lines that are wrong are named; whoever mends them learns of the rest. */
const mostNamed = 1000;

/** Every line that says something. One that is wrong refuses them all. */
export function readLines(lines: readonly string[]): Line[] {
  const read = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, ...readLine(text) }]));
  const wrong = read.filter(({ block }) => block === undefined);
  if (wrong.length > 0) throw refused(wrong.map(({ at }) => at));
  return read as (Line & { at: number })[];
}

function readLine(text: string): { readonly block: Block | undefined; readonly note: string } {
  const hash = text.indexOf('#');
  if (hash < 0) return { block: blockOf(text.trim()), note: '' };
  return { block: blockOf(text.slice(0, hash).trim()), note: noteOf(text.slice(hash).replace(/^[\s#]+/, '')) };
}

/** What there is room for. */
const noteOf = (text: string): string =>
  [...text.slice(0, 2 * longestNote)]
    .slice(0, longestNote)
    .join('')
    .replace(/[\s#]+$/, '');

function refused(places: readonly number[]): Problem {
  const reasons = places.slice(0, mostNamed).map((at) => ({
    code: 'rest_invalid_param',
    message: `bans.${at} is no address, and no range of addresses.`,
    data: { status: 400 },
  }));
  const more = places.length - reasons.length;
  if (more > 0)
    reasons.push({ code: 'rest_invalid_param', message: `So are ${more} more of bans.`, data: { status: 400 } });
  const [first, ...others] = reasons;
  return new Problem(400, first!.code, first!.message, {}, { others });
}
