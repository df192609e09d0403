// One value that conditions look at: what it says as text, and how its letters and escapes are read. What several conditions
// need of it is worked out once.

import { decodeLeniently } from '#kernel/args/query.ts';
import { plusToSpaces } from '#lib/form-encoding.ts';
import { longestInspected } from './rule.ts';

export interface Subject {
  readonly value: unknown;
  /** Nothing for what is no single value. */
  readonly text: string | undefined;
  /** How it was sent, of a body that is a map or a list: words and patterns are looked for in that. */
  readonly sent: string | undefined;
  lower: string | undefined;
  decoded: string | undefined;
  decodedLower: string | undefined;
  foldable: boolean | undefined;
}

export const subjectOf = (value: unknown, sent?: string): Subject => ({
  value,
  text: typeof value === 'string' ? value : isScalar(value) ? textOf(value) : undefined,
  sent,
  lower: undefined,
  decoded: undefined,
  decodedLower: undefined,
  foldable: undefined,
});

/** What words are looked for in. */
export const wordsOf = ({ text, sent }: Subject): string | undefined => text ?? sent;

export function lowerOf(subject: Subject): string {
  subject.lower ??= lowered(wordsOf(subject) ?? '');
  return subject.lower;
}

/** An escape says at least one sign in nine. */
const longestDecoded = 9 * longestInspected;

/** Of what is far too long to be looked at whole, the beginning and the end. */
export function decodedOf(subject: Subject): string {
  subject.decoded ??= urlDecoded(endsOf(wordsOf(subject) ?? ''));
  return subject.decoded;
}

const endsOf = (text: string): string =>
  text.length > 2 * longestDecoded ? text.slice(0, longestDecoded) + text.slice(-longestDecoded) : text;

export function decodedLowerOf(subject: Subject): string {
  subject.decodedLower ??= decodedOf(subject) === wordsOf(subject) ? lowerOf(subject) : lowered(decodedOf(subject));
  return subject.decodedLower;
}

/** Whether its small letters are all that case can make of it: two signs beyond ASCII are `s` and `k` where case does not count. */
export function isFoldable(subject: Subject): boolean {
  subject.foldable ??= !/[\u017f\u212a]/.test(decodedOf(subject));
  return subject.foldable;
}

type Scalar = string | number | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export const textOf = (value: Scalar): string =>
  typeof value === 'string' ? value : value === true ? '1' : value === false ? '' : String(value);

export const isTrue = (value: Scalar): boolean => value !== '' && value !== '0' && value !== 0 && value !== false;

/** A map or a list. */
export const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isContainer(value) && !Array.isArray(value);

/** Read once: "+" is a space, and what is no escape stays. */
export function urlDecoded(text: string): string {
  const spaced = plusToSpaces(text);
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(spaced);
  }
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Only A to Z: other letters stay as they are. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower === text || isAscii(text) ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
