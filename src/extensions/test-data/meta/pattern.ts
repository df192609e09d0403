// Patterns that people write to have texts drawn by them: a small part of what regular expressions can say. They are read here and
// never run, so nobody can have one take longer than it is long.
import { Unreadable } from './seeing.ts';

/** From one letter to another, by their code points. */
export type Range = readonly [from: number, to: number];

export type Pattern =
  | { readonly kind: 'one'; readonly of: readonly Range[] }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly among: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly what: Pattern; readonly least: number; readonly most: number };

export const bounds = { template: 200, output: 1_000 };
/** How often at most, where nobody says. */
const openEnd = 8;

/** What all letters are, as far as they are drawn. */
const printable: Range = [0x20, 0x7e];
const digits: readonly Range[] = [[0x30, 0x39]];
const letters: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const space: readonly Range[] = [[0x20, 0x20]];

/** Of the printable ones, those that are in none of these. */
function others(ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let next = printable[0];
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    if (from > next) left.push([next, Math.min(from - 1, printable[1])]);
    next = Math.max(next, to + 1);
    if (next > printable[1]) return left;
  }
  return [...left, [next, printable[1]]];
}

const escapes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  D: others(digits),
  w: letters,
  W: others(letters),
  s: space,
  S: others(space),
  t: [[9, 9]],
  n: [[10, 10]],
};

/** Throws `Unreadable`. */
export function readPattern(template: string): Pattern {
  const signs = [...template];
  if (signs.length > bounds.template) throw new Unreadable(`It is longer than ${bounds.template} characters.`);
  // Where it begins and ends goes without saying.
  if (signs[0] === '^') signs.shift();
  if (signs.at(-1) === '$' && signs.at(-2) !== '\\') signs.pop();
  const reading = { signs, at: 0 };
  const pattern = choice(reading);
  if (reading.at < signs.length) throw new Unreadable('A closing bracket has no opening bracket.');
  if (dearness(pattern) > bounds.output) throw new Unreadable(`It would create more than ${bounds.output} characters.`);
  return pattern;
}

interface Reading {
  readonly signs: readonly string[];
  at: number;
}

const ahead = ({ signs, at }: Reading): string | undefined => signs[at];

function taken(reading: Reading, sign: string): boolean {
  if (ahead(reading) !== sign) return false;
  reading.at += 1;
  return true;
}

function next(reading: Reading): string {
  const sign = ahead(reading);
  if (sign === undefined) throw new Unreadable('It is not complete.');
  reading.at += 1;
  return sign;
}

function choice(reading: Reading): Pattern {
  const among = [sequence(reading)];
  while (taken(reading, '|')) among.push(sequence(reading));
  return among.length === 1 ? among[0]! : { kind: 'choice', among };
}

function sequence(reading: Reading): Pattern {
  const parts: Pattern[] = [];
  for (let sign = ahead(reading); sign !== undefined && sign !== '|' && sign !== ')'; sign = ahead(reading))
    parts.push(repeated(reading, atom(reading)));
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
}

function atom(reading: Reading): Pattern {
  const sign = next(reading);
  if (sign === '(') return group(reading);
  if (sign === '[') return { kind: 'one', of: set(reading) };
  if (sign === '.') return { kind: 'one', of: [printable] };
  if (sign === '\\') return { kind: 'one', of: escaped(reading) };
  if ('?*+{}^$]'.includes(sign)) throw new Unreadable(`\`${sign}\` has no meaning at this position.`);
  return { kind: 'one', of: [only(sign)] };
}

function group(reading: Reading): Pattern {
  if (taken(reading, '?') && !taken(reading, ':')) throw new Unreadable('Lookahead and lookbehind are not supported.');
  const inside = choice(reading);
  if (!taken(reading, ')')) throw new Unreadable('An opening bracket has no closing bracket.');
  return inside;
}

const only = (sign: string): Range => [sign.codePointAt(0)!, sign.codePointAt(0)!];

function escaped(reading: Reading): readonly Range[] {
  const sign = next(reading);
  if (Object.hasOwn(escapes, sign)) return escapes[sign]!;
  if (/[\p{L}\p{N}]/u.test(sign)) throw new Unreadable(`\`\\${sign}\` is not supported.`);
  return [only(sign)];
}

function set(reading: Reading): Range[] {
  const isOthers = taken(reading, '^');
  const ranges: Range[] = [];
  while (!taken(reading, ']')) ranges.push(...member(reading));
  const all = isOthers ? others(ranges) : ranges;
  if (all.length === 0) throw new Unreadable('A set is empty.');
  return all;
}

function member(reading: Reading): readonly Range[] {
  const first = single(reading);
  const isRange = ahead(reading) === '-' && reading.signs[reading.at + 1] !== ']';
  if (!isRange) return first;
  reading.at += 1;
  const [from, to] = [first, single(reading)].map((ranges) => {
    const [range] = ranges;
    if (ranges.length !== 1 || range![0] !== range![1])
      throw new Unreadable('A range must have a single character at each end.');
    return range![0];
  }) as [number, number];
  if (from > to) throw new Unreadable('A range ends before it begins.');
  // Between them are the halves of letters.
  if (from < 0xd800 && to > 0xdfff) throw new Unreadable('A range is too wide.');
  return [[from, to]];
}

function single(reading: Reading): readonly Range[] {
  const sign = next(reading);
  if (sign === '[') throw new Unreadable('A set is inside a set.');
  return sign === '\\' ? escaped(reading) : [only(sign)];
}

function repeated(reading: Reading, what: Pattern): Pattern {
  const often = times(reading);
  if (often === undefined) return what;
  const [least, most] = often;
  if (least > most) throw new Unreadable('A repetition ends before it begins.');
  return { kind: 'repeat', what, least, most };
}

function times(reading: Reading): readonly [least: number, most: number] | undefined {
  if (taken(reading, '?')) return [0, 1];
  if (taken(reading, '*')) return [0, openEnd];
  if (taken(reading, '+')) return [1, openEnd];
  if (!taken(reading, '{')) return undefined;
  const least = count(reading);
  if (taken(reading, '}')) return [least, least];
  if (!taken(reading, ',')) throw new Unreadable('A number of repetitions is not valid.');
  if (taken(reading, '}')) return [least, least + openEnd];
  const most = count(reading);
  if (!taken(reading, '}')) throw new Unreadable('A number of repetitions is not valid.');
  return [least, most];
}

function count(reading: Reading): number {
  let digits = '';
  while (digits.length < 5 && /^\d$/.test(ahead(reading) ?? '')) digits += next(reading);
  if (digits === '') throw new Unreadable('A number of repetitions is not valid.');
  return Number(digits);
}

/** How many steps drawing it takes at most, and so how many letters it draws. What is empty takes a step, too. */
function dearness(pattern: Pattern): number {
  if (pattern.kind === 'one') return 1;
  if (pattern.kind === 'repeat') return Math.max(1, pattern.most * dearness(pattern.what));
  if (pattern.kind === 'choice') return Math.max(...pattern.among.map(dearness));
  return Math.max(
    1,
    pattern.parts.map(dearness).reduce((sum, one) => sum + one, 0),
  );
}
