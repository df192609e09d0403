// Patterns as people write them, between delimiters and with flags after them, and what the linear engine makes of them.
// They run on an engine that never goes back over a text. The states it works out for a text are bounded, and how much of it it reads.

import { RE2JS } from 're2js';
import { Lru } from '#lib/lru.ts';
import { needlesOf } from './needles.ts';
import { longestInspected } from './rule.ts';
import { decodedLowerOf, decodedOf, isFoldable, type Subject } from './subject.ts';

export interface Pattern {
  find(subject: Subject): Finding;
}

export type Compiled =
  | { readonly pattern: Pattern; readonly fault?: undefined }
  | { readonly pattern?: undefined; readonly fault: string };

/** A rule that somebody saves is judged, kept and made ready with the same pattern, a moment apart. */
const lately = new Lru<string, Compiled>(8);

export function compilePattern(written: unknown): Compiled {
  if (typeof written !== 'string') return undelimited;
  const known = lately.get(written);
  if (known !== undefined) return known;
  const compiled = compiledOf(written);
  lately.set(written, compiled);
  return compiled;
}

const undelimited: Compiled = { fault: 'Write the pattern between delimiters, such as /word/i.' };

function compiledOf(written: string): Compiled {
  const parts = partsOf(written);
  if (parts === undefined) return undelimited;
  const unknown = [...parts.flags].find((flag) => !known.includes(flag));
  if (unknown !== undefined) return { fault: `The flag ${JSON.stringify(unknown)} does not exist; use ${known}.` };
  try {
    return { pattern: patternOf(translated(parts.body, parts.flags), engineFlags(parts.flags)) };
  } catch (error) {
    if (error instanceof TooLarge) return { fault: 'This pattern is too large. Write several smaller patterns.' };
    return { fault: 'This pattern is not valid. Lookarounds and backreferences are not supported.' };
  }
}

const known = 'imsxuDUASXJ';

const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** What stands between the first sign and the one that closes it, and what comes after. */
function partsOf(written: string): { readonly body: string; readonly flags: string } | undefined {
  const open = written.charAt(0);
  if (open === '' || /[\w\s\\\0]/.test(open)) return undefined;
  const close = closings[open] ?? open;
  let depth = 1;
  for (let at = 1; at < written.length; at++) {
    const sign = written.charAt(at);
    if (sign === '\\') at++;
    else if (sign === close) depth--;
    else if (sign === open) depth++;
    if (depth === 0) return { body: written.slice(1, at), flags: written.slice(at + 1) };
  }
  return undefined;
}

const engineFlags = (flags: string): number =>
  (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
  (flags.includes('m') ? RE2JS.MULTILINE : 0) |
  (flags.includes('s') ? RE2JS.DOTALL : 0);

function patternOf(source: string, flags: number): Pattern {
  const linear = compileLinear(source, flags);
  const needles = needlesOf(source);
  return {
    find(subject) {
      const text = decodedOf(subject);
      if (text.length > longestInspected) return linear.findAtEnds(text, longestInspected);
      if (needles !== undefined && isFoldable(subject) && !holds(decodedLowerOf(subject), needles)) return false;
      return linear.find(text);
    },
  };
}

function holds(text: string, needles: readonly string[]): boolean {
  for (const needle of needles) if (text.includes(needle)) return true;
  return false;
}

/** What the states of one pattern may take, in bytes by the engine's own count. */
const mostStates = 256 * 1024;
/** Instructions times characters, where there are too many states. */
const mostSteps = 1_000_000;
/** A longer or larger pattern is refused. */
const most = { characters: 8 * 1024, instructions: 2_000 };

/** What a pattern says of a text: `unsure` where it looked at the ends of it alone, and found nothing there. */
export type Finding = boolean | 'unsure';

export interface Linear {
  find(text: string): Finding;
  /** In its first and last so many characters. */
  findAtEnds(text: string, length: number): Finding;
}

export class TooLarge extends Error {}
class TooCostly extends Error {}

/** Throws for a pattern that the engine does not know, or that is too large. */
export function compileLinear(source: string, flags: number): Linear {
  if (source.length > most.characters) throw new TooLarge();
  const pattern = RE2JS.compile(source, flags);
  const size = pattern.programSize();
  if (size > most.instructions) throw new TooLarge();
  const machine = pattern.re2();
  const longest = Math.floor(mostSteps / size);
  bind(machine, longest);
  pattern.test(''); // what it needs for its first text it needs now

  const unlessCostly = (parts: readonly string[]): boolean | undefined => {
    try {
      return parts.some((part) => pattern.test(part));
    } catch (error) {
      if (error instanceof TooCostly) return undefined;
      throw error;
    }
  };
  const withoutStates = (text: string): Finding => {
    machine.dfa.failed = true;
    try {
      return endsOf(text, longest >> 1).some((end) => pattern.test(end)) || 'unsure';
    } finally {
      machine.dfa.failed = false;
    }
  };
  return {
    find: (text) => unlessCostly([text]) ?? withoutStates(text),
    findAtEnds: (text, length) => {
      const isFound = unlessCostly(endsOf(text, length));
      return isFound === undefined ? withoutStates(text) : isFound || 'unsure';
    },
  };
}

const endsOf = (text: string, length: number): readonly string[] => [text.slice(0, length), text.slice(-length)];

type Machine = ReturnType<RE2JS['re2']>;

/** A text for which the states run out is tried once more with none from before, and then without states, if it is short. */
function bind(machine: Machine, longest: number): void {
  const { dfa } = machine;
  dfa.stateBudget = mostStates;
  dfa.memBudget = mostStates;
  dfa.resetCache = () => {
    dfa.clearCache();
    return null;
  };
  const slowly = machine.doExecuteNFA.bind(machine);
  machine.doExecuteNFA = (input, pos, anchor, ncap, lookedBack) => {
    if (input.endPos() <= longest) return slowly(input, pos, anchor, ncap, lookedBack);
    const matches: unknown = dfa.match(input, pos, anchor);
    if (matches === null) throw new TooCostly();
    return matches === true ? [] : null;
  };
}

/** The end, or before the line break at the end. */
const end = '(?:\\n?\\z)';

const outside: Readonly<Record<string, string>> = {
  s: '[\\s\\x0b]',
  S: '[^\\s\\x0b]',
  h: '[\\t \\xa0]',
  H: '[^\\t \\xa0]',
  R: '(?:\\r\\n|[\\n\\r\\x0b\\f])',
  e: '\\x1b',
  Z: end,
};
const inside: Readonly<Record<string, string>> = { s: '\\s\\x0b', h: '\\t \\xa0', e: '\\x1b' };

/**
 * The pattern in the words of the linear engine: blanks and remarks left out where the flags say so, and a few signs that mean
 * more to people who write patterns than to it.
 */
export function translated(body: string, flags: string): string {
  const isLoose = flags.includes('x');
  const hasLines = flags.includes('m') || /\(\?[a-zA-Z]*m/.test(body);
  const dollar = hasLines ? '$' : flags.includes('D') ? '\\z' : end;
  const pieces: string[] = [];
  for (let at = 0; at < body.length; ) {
    const [piece, length] = pieceAt(body, at, dollar, isLoose);
    pieces.push(piece);
    at += length;
  }
  return flags.includes('A') ? `\\A(?:${pieces.join('')})` : pieces.join('');
}

type Piece = readonly [written: string, length: number];

function pieceAt(body: string, at: number, dollar: string, isLoose: boolean): Piece {
  const sign = body.charAt(at);
  if (sign === '\\') return escaped(body, at, outside);
  if (sign === '[') return classAt(body, at);
  if (sign === '$') return [dollar, 1];
  if (body.startsWith('(?#', at)) return ['', lengthTo(body, at, ')')];
  const name = sign === '(' ? nameAt(body, at) : undefined;
  if (name !== undefined) return ['(', name.length];
  if (isLoose && /\s/.test(sign)) return ['', 1];
  if (isLoose && sign === '#') return ['', lengthTo(body, at, '\n')];
  return [sign, 1];
}

/** A group with a name, in any of three spellings. Nobody asks for the name: what a pattern found is not told. */
function nameAt(body: string, at: number): string | undefined {
  const opening = /\((?:\?P?<([A-Za-z_]\w{0,31})>|\?'([A-Za-z_]\w{0,31})')/y;
  opening.lastIndex = at;
  return opening.exec(body)?.[0];
}

function escaped(body: string, at: number, words: Readonly<Record<string, string>>): Piece {
  if (body.startsWith('\\Q', at)) {
    const close = body.indexOf('\\E', at);
    const quoted = body.slice(at, close < 0 ? body.length : close + 2);
    return [quoted, quoted.length];
  }
  const name = body.charAt(at + 1);
  return [(Object.hasOwn(words, name) ? words[name] : undefined) ?? body.slice(at, at + 2), 2];
}

/** A set of signs, to its end. */
function classAt(body: string, from: number): Piece {
  const opening = /^\[\^?\]?/.exec(body.slice(from, from + 3))![0];
  const pieces = [opening.endsWith(']') ? `${opening.slice(0, -1)}\\]` : opening];
  for (let at = from + opening.length; at < body.length; ) {
    const sign = body.charAt(at);
    const named = sign === '[' ? /^\[:\^?[a-z]+:\]/.exec(body.slice(at, at + 16))?.[0] : undefined;
    const [piece, length] = sign === '\\' ? escaped(body, at, inside) : [named ?? sign, named?.length ?? 1];
    pieces.push(piece);
    at += length;
    if (sign === ']') return [pieces.join(''), at - from];
  }
  return [pieces.join(''), body.length - from];
}

function lengthTo(body: string, from: number, sign: string): number {
  const found = body.indexOf(sign, from);
  return (found < 0 ? body.length : found + 1) - from;
}
