// Numbers, text and truth: how each is checked and what it becomes.

import type { Schema } from '../schema.ts';
import {
  type Checker,
  type CompileOptions,
  enumChecker,
  inOrder,
  must,
  type Settler,
  same,
  typeChecker,
} from './checks.ts';
import { toBoolean, toInteger, toNumber } from './coerce.ts';
import { formatOf } from './formats.ts';
import { counted, kindOf } from './wording.ts';

export function numberSettler(type: 'number' | 'integer', schema: Schema): Settler {
  const { minimum: low, maximum: high, multipleOf: step } = schema;
  const bounds = (holds: (number: number) => boolean): Checker =>
    must((value) => holds(Number(value)), 'rest_out_of_bounds', `be ${kindOf({ ...schema, type })}`);
  const coerce = type === 'integer' ? toInteger : toNumber;
  const check = inOrder([
    typeChecker(type, schema),
    step !== undefined &&
      must((value) => Number(value) % step === 0, 'rest_invalid_multiple', `be a multiple of ${step}`),
    low !== undefined && bounds(schema.exclusiveMinimum ? (number) => number > low : (number) => number >= low),
    high !== undefined && bounds(schema.exclusiveMaximum ? (number) => number < high : (number) => number <= high),
    enumChecker(schema, coerce),
  ]);
  return { check, coerce };
}

/** Characters, not code units; most texts need no counting. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.codePointAt(at);
    if (pair !== undefined && pair > 0xffff) {
      length--;
      at++;
    }
  }
  return length;
}

const isAtLeast = (low: number) => (value: unknown) => {
  const text = value as string;
  return text.length >= 2 * low || (text.length >= low && lengthOf(text) >= low);
};

const isAtMost = (high: number) => (value: unknown) => {
  const text = value as string;
  return text.length <= high || (text.length <= 2 * high && lengthOf(text) <= high);
};

/** Unanchored, so an outer `.*` changes no answer; but with it a long line takes quadratic time to refuse. */
export function compilePattern(pattern: string): RegExp {
  const core = pattern.replace(/^\.\*(?![?+*{])/, '').replace(/(?<!\\)\.\*$/, '');
  try {
    return new RegExp(core, 'u');
  } catch {
    return new RegExp(core); // escapes that only the older syntax knows
  }
}

export function stringSettler(schema: Schema, options: CompileOptions): Settler {
  const { minLength: low, maxLength: high, pattern } = schema;
  const format = formatOf(schema.format, options.strictDates ?? false);
  const formed = format?.accepts;
  const expression = pattern === undefined ? undefined : compilePattern(pattern);
  const clean = format?.clean;
  const coerce = clean ? (value: unknown) => clean(value as string) : same;
  const check = inOrder([
    typeChecker('string', schema),
    low !== undefined && must(isAtLeast(low), 'rest_too_short', `have at least ${counted(low, 'character')}`),
    high !== undefined && must(isAtMost(high), 'rest_too_long', `have at most ${counted(high, 'character')}`),
    expression &&
      must((value) => expression.test(value as string), 'rest_invalid_pattern', `match the pattern ${pattern}`),
    enumChecker(schema, coerce),
    formed && must((value) => formed(value as string), format.code ?? 'rest_invalid_param', `be ${format.kind}`),
  ]);
  return { check, coerce };
}

export const booleanSettler = (schema: Schema): Settler => ({
  check: inOrder([typeChecker('boolean', schema), enumChecker(schema, toBoolean)]),
  coerce: toBoolean,
});

export const nullSettler = (schema: Schema): Settler => ({ check: typeChecker('null', schema), coerce: same });
