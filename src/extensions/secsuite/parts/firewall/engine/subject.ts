// One value that conditions look at; what several of them need of it is worked out once.
import { longestInspected } from './rule.ts';
import { isScalar, lowered, textOf, urlDecoded } from './texts.ts';

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
