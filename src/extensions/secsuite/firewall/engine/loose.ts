// Values compared as forms send them: "10" is 10, and any word is true.
import { isScalar, isTrue, textOf } from './texts.ts';

const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

export const isNumeric = (text: string): boolean => numeric.test(text);

const numberOf = (value: string | number): number | undefined =>
  typeof value === 'number' ? value : isNumeric(value) ? Number(value) : undefined;

/** Less than 0 where `one` comes first; two that are equal make 0. */
export function looselyOrdered(one: unknown, other: unknown): number | undefined {
  if (!isScalar(one) || !isScalar(other)) return undefined;
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(isTrue(one)) - Number(isTrue(other));
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left === right ? 0 : left - right;
  return bytesOrdered(textOf(one), textOf(other));
}

/** Nothing equals "", `false` and 0. */
export const looselyEqual = (one: unknown, other: unknown): boolean =>
  one === null ? isScalar(other) && (other === '' || other === false || other === 0) : looselyOrdered(one, other) === 0;

const bytesOrdered = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
