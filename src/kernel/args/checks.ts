// The shape of a compiled schema, and the pieces its checks are made of.

import type { Details } from '../problem.ts';
import type { Schema } from '../schema.ts';
import { kindOf, listed } from './wording.ts';

// Which values pass for which type, and what they become. The family of clients sends "5" for 5 and "a,b" for a list.

export type TypeName = 'array' | 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

/** Infinite is not a number here: it could be neither stored nor sent back. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && numeric.test(value) && Number.isFinite(Number(value));

const isInteger = (value: unknown): boolean => isNumber(value) && Number.isInteger(Number(value));

const truths = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

const truthOf = (value: unknown): boolean | undefined =>
  truths.get(typeof value === 'string' && value.length < 6 ? value.toLowerCase() : value);

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** An object, or one of the two ways of saying "none". A list stays a list, as clients of this family are used to. */
const isObject = (value: unknown): boolean => value === '' || (typeof value === 'object' && value !== null);

export const accepts: Record<TypeName, (value: unknown) => boolean> = {
  array: (value) => Array.isArray(value) || isScalar(value),
  object: isObject,
  string: (value) => typeof value === 'string',
  number: isNumber,
  integer: isInteger,
  boolean: (value) => truthOf(value) !== undefined,
  null: (value) => value === null,
};

const largest = Number.MAX_SAFE_INTEGER;

/** Beyond the safe range a number would name another record than the one asked for; adding 0 turns -0 into 0. */
export const toInteger = (value: unknown): number => Math.min(largest, Math.max(-largest, Number(value))) + 0;

export const toNumber = (value: unknown): number => Number(value);

export const toBoolean = (value: unknown): boolean => truthOf(value) === true;

/** More than any address can carry. A text of commas holds far more items than a list of the same bytes, and each costs time. */
export const mostInText = 10_000;

/** A scalar is a list written on one line; of one that is too long, no more is read than shows it. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'boolean') return value ? ['1'] : [];
  return String(value)
    .split(/[ \t\n\r\v\f,]+/, mostInText + 2)
    .filter((part) => part !== '');
}

/** The members to look at; `''` and `[]` have none. */
export const toMembers = (value: unknown): Record<string, unknown> =>
  value === '' ? {} : (value as Record<string, unknown>);

/** The names of members; one that would be a prototype is none. */
export function namesOf(members: object): string[] {
  const names = Object.keys(members);
  return names.includes('__proto__') ? names.filter((name) => name !== '__proto__') : names;
}

/** One text for equal values, whatever the order of their members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`).join(',')}}`;
}

export interface Failure {
  code: string;
  message: string;
  data: Details | null;
}

/** What is wrong with a value; the message begins with the name. */
export type Checker = (value: unknown, param: string) => Failure | undefined;

export interface Settler {
  check: Checker;
  coerce(value: unknown): unknown;
}

export interface CompileOptions {
  /** Whether `format: date` is checked. */
  strictDates?: boolean;
}

export type Compile = (schema: Schema, options: CompileOptions) => Settler;

export const failure = (code: string, message: string, data: Details | null = null): Failure => ({
  code,
  message,
  data,
});

/** A failure of a part, named from the whole: a part is checked without a name, for only what is wrong needs one. */
export const within = ({ code, message, data }: Failure, place: string): Failure => ({
  code,
  message: `${place}${message}`,
  data: typeof data?.param === 'string' ? { ...data, param: `${place}${data.param}` } : data,
});

export const same = (value: unknown): unknown => value;

/** The checks in order; those that are not asked for are left out when compiling. */
export function inOrder(checkers: readonly (Checker | undefined | false)[]): Checker {
  const asked = checkers.filter((checker) => typeof checker === 'function');
  const [first, second] = asked;
  if (!first) return () => undefined;
  if (!second) return first;
  if (asked.length === 2) return (value, param) => first(value, param) ?? second(value, param);
  return (value, param) => {
    for (const checker of asked) {
      const wrong = checker(value, param);
      if (wrong) return wrong;
    }
    return undefined;
  };
}

export function typeChecker(type: TypeName, schema: Schema): Checker {
  const accept = accepts[type];
  const kind = kindOf({ ...schema, type });
  return (value, param) =>
    accept(value) ? undefined : failure('rest_invalid_type', `${param} must be ${kind}.`, { param });
}

export function enumChecker(schema: Schema, coerce: (value: unknown) => unknown): Checker | undefined {
  const allowed = schema.enum;
  if (!allowed || allowed.length === 0) return undefined;
  const plain = allowed.every((value) => typeof value !== 'object' || value === null);
  const key = plain ? same : canonical;
  const known = new Set(allowed.map(key));
  const names = listed(allowed);
  return (value, param) =>
    known.has(key(coerce(value)))
      ? undefined
      : failure('rest_not_in_enum', `${param} must be ${allowed.length > 1 ? 'one of: ' : ''}${names}.`);
}

/** A check of one condition, in one line. */
export const must =
  (holds: (value: unknown) => boolean, code: string, wanted: string): Checker =>
  (value, param) =>
    holds(value) ? undefined : failure(code, `${param} must ${wanted}.`);
