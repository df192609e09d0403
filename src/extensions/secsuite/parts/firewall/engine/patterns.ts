// Patterns as people write them, between delimiters and with flags after them, and what the linear engine makes of them.
import { RE2JS } from 're2js';
import { Lru } from '#lib/lru.ts';
import { compileLinear, type Finding, TooLarge } from './linear.ts';
import { needlesOf } from './needles.ts';
import { longestInspected } from './rule.ts';
import { decodedLowerOf, decodedOf, isFoldable, type Subject } from './subject.ts';
import { translated } from './translated.ts';

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

const undelimited: Compiled = { fault: 'Please write a pattern between delimiters, such as /word/i.' };

function compiledOf(written: string): Compiled {
  const parts = partsOf(written);
  if (parts === undefined) return undelimited;
  const unknown = [...parts.flags].find((flag) => !known.includes(flag));
  if (unknown !== undefined) return { fault: `There is no flag ${JSON.stringify(unknown)}; there are ${known}.` };
  try {
    return { pattern: patternOf(translated(parts.body, parts.flags), engineFlags(parts.flags)) };
  } catch (error) {
    if (error instanceof TooLarge) return { fault: 'This pattern is too large; please write several smaller ones.' };
    return { fault: 'This pattern cannot be read. Please mind that it may not look around or back.' };
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
