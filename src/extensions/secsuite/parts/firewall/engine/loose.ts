// Values compared as forms send them: "10" is 10, and any word is true.
import { isScalar, isTrue, textOf } from './texts.ts';

const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

/** Words are told from numbers by how they begin. */
export const isNumeric = (text: string): boolean => text.charCodeAt(0) < 58 && numeric.test(text);

const numberOf = (value: string | number): number | undefined =>
  typeof value === 'number' ? value : isNumeric(value) ? Number(value) : undefined;

/** Less than 0 where `one` comes first; two that are equal make 0. */
export function looselyOrdered(one: unknown, other: unknown): number | undefined {
  if (!isScalar(one) || !isScalar(other)) return undefined;
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(isTrue(one)) - Number(isTrue(other));
  if (one === other) return 0;
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left === right ? 0 : left - right;
  return Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other)));
}

export const looselyEqual = (one: unknown, other: unknown): boolean => looselyEqualTo(one)(other);

/** Nothing equals "", `false` and 0. Which number a text is, is worked out once, however many it is compared with. */
export function looselyEqualTo(one: unknown): (other: unknown) => boolean {
  if (one === null) return (other) => other === '' || other === false || other === 0;
  if (!isScalar(one)) return () => false;
  let known: { readonly number: number | undefined } | undefined;
  const number = (): number | undefined => {
    if (typeof one === 'boolean') return undefined;
    known ??= { number: numberOf(one) };
    return known.number;
  };
  return (other) => {
    if (!isScalar(other)) return false;
    if (typeof one === 'boolean' || typeof other === 'boolean') return isTrue(one) === isTrue(other);
    return one === other || (number() !== undefined && number() === numberOf(other));
  };
}
