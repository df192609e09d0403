// One value that conditions look at; what several of them need of it is worked out once.
import { isScalar, lowered, textOf, urlDecoded } from './texts.ts';

export interface Subject {
  readonly value: unknown;
  /** Nothing for what is no single value. */
  readonly text: string | undefined;
  lower: string | undefined;
  decoded: string | undefined;
  decodedLower: string | undefined;
  foldable: boolean | undefined;
}

export const subjectOf = (value: unknown): Subject => ({
  value,
  text: typeof value === 'string' ? value : isScalar(value) ? textOf(value) : undefined,
  lower: undefined,
  decoded: undefined,
  decodedLower: undefined,
  foldable: undefined,
});

export function lowerOf(subject: Subject): string {
  subject.lower ??= lowered(subject.text ?? '');
  return subject.lower;
}

export function decodedOf(subject: Subject): string {
  subject.decoded ??= urlDecoded(subject.text ?? '');
  return subject.decoded;
}

export function decodedLowerOf(subject: Subject): string {
  subject.decodedLower ??= decodedOf(subject) === subject.text ? lowerOf(subject) : lowered(decodedOf(subject));
  return subject.decodedLower;
}

/** Whether its small letters are all that case can make of it: two signs beyond ASCII are `s` and `k` where case does not count. */
export function isFoldable(subject: Subject): boolean {
  subject.foldable ??= !/[\u017f\u212a]/.test(decodedOf(subject));
  return subject.foldable;
}
