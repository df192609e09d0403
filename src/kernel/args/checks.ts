// The shape of a compiled schema, and the pieces its checks are made of.

import type { Details } from '../problem.ts';
import type { Schema } from '../schema.ts';
import { accepts, canonical, type TypeName } from './coerce.ts';
import { kindOf, listed } from './wording.ts';

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
