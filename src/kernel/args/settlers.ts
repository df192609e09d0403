// What an argument of each type is checked for and becomes.

import type { Schema } from '../schema.ts';
import {
  type Checker,
  type Compile,
  type CompileOptions,
  canonical,
  enumChecker,
  failure,
  inOrder,
  mostInText,
  must,
  namesOf,
  type Settler,
  same,
  toBoolean,
  toInteger,
  toList,
  toMembers,
  toNumber,
  typeChecker,
  within,
} from './checks.ts';
import { formatOf } from './formats.ts';
import { counted, kindOf } from './wording.ts';

// Numbers, text and truth: how each is checked and what it becomes.

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
function compilePattern(pattern: string): RegExp {
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

// Lists and objects: their own limits, and what they hold.

function isUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  // The mark keeps an object apart from a text that reads like it.
  for (const item of items) seen.add(typeof item === 'object' && item !== null ? `\0${canonical(item)}` : item);
  return seen.size === items.length;
}

/** The number of items first, so that a list that is too long costs no more than a short one. */
function itemsChecker({ minItems: low, maxItems: high }: Schema, items: Settler | undefined): Checker {
  return (value, param) => {
    const list = toList(value);
    const most = Math.min(high ?? list.length, Array.isArray(value) ? list.length : mostInText);
    if (list.length > most)
      return failure('rest_too_many_items', `${param} must have at most ${counted(most, 'item')}.`);
    for (let at = 0; items !== undefined && at < list.length; at++) {
      const wrong = items.check(list[at], '');
      if (wrong) return within(wrong, `${param}[${at}]`);
    }
    if (low === undefined || list.length >= low) return undefined;
    return failure('rest_too_few_items', `${param} must have at least ${counted(low, 'item')}.`);
  };
}

export function listSettler(schema: Schema, options: CompileOptions, compile: Compile): Settler {
  const items = schema.items && compile(schema.items, options);
  const coerce = items
    ? (value: unknown) => toList(value).map((item) => items.coerce(item))
    : (value: unknown) => [...toList(value)];
  const check = inOrder([
    typeChecker('array', schema),
    itemsChecker(schema, items),
    schema.uniqueItems &&
      must((value) => isUnique(coerce(value)), 'rest_duplicate_items', 'contain each item only once'),
    enumChecker(schema, coerce),
  ]);
  return { check, coerce };
}

const hasDefault = (schema: Schema, name: string): boolean => schema.properties?.[name]?.default !== undefined;

/** Nobody has to send what has a default or is fixed, whatever the type says of the settled value. */
const isDispensable = (schema: Schema, name: string): boolean =>
  hasDefault(schema, name) || schema.properties?.[name]?.readonly === true;

function requiredNames(schema: Schema): readonly string[] {
  if (Array.isArray(schema.required)) return schema.required.filter((name) => !isDispensable(schema, name));
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => (member.required === true ? [name] : []));
}

/** A copy of plain JSON; `structuredClone` costs more than settling all the rest. */
function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}

/** A default as a fresh value; `[]` where an object is meant is an empty object. */
export function defaultOf(schema: Schema): () => unknown {
  const value = schema.default;
  if (typeof value !== 'object' || value === null) return () => value;
  if (!Array.isArray(value) || value.length > 0) return () => copy(value);
  return schema.type === 'object' ? () => ({}) : () => [];
}

/** Members that the type promises and the request may leave out. */
const filledMembers = (schema: Schema): [string, () => unknown][] =>
  (Array.isArray(schema.required) ? schema.required : [])
    .filter((name) => hasDefault(schema, name))
    .map((name) => [name, defaultOf(schema.properties?.[name] ?? {})]);

/** Who judges the member of this name: `false` is nobody may send it, `undefined` nobody cares. */
type MemberOf = (name: string) => Settler | false | undefined;

function memberFinder(schema: Schema, options: CompileOptions, compile: Compile): MemberOf {
  const compiled = (entries: Record<string, Schema> | undefined): [string, Settler][] =>
    Object.entries(entries ?? {}).map(([name, member]) => [name, compile(member, options)]);
  const named = new Map(compiled(schema.properties));
  const patterns = compiled(schema.patternProperties).map(
    ([pattern, settler]) => [compilePattern(pattern), settler] as const,
  );
  const { additionalProperties: free } = schema;
  const others = typeof free === 'object' ? compile(free, options) : free === false ? false : undefined;
  if (patterns.length === 0) return (name) => named.get(name) ?? others;
  return (name) => named.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1] ?? others;
}

function membersChecker({ minProperties: low, maxProperties: high }: Schema, memberOf: MemberOf): Checker {
  return (value, param) => {
    const members = toMembers(value);
    const names = namesOf(members);
    if (high !== undefined && names.length > high)
      return failure('rest_too_many_properties', `${param} must have at most ${counted(high, 'member')}.`);
    for (const name of names) {
      const settler = memberOf(name);
      if (settler === false)
        return failure('rest_additional_properties_forbidden', `${param} must not contain ${name}.`);
      const wrong = settler?.check(members[name], '');
      if (wrong) return within(wrong, `${param}[${name}]`);
    }
    if (low === undefined || names.length >= low) return undefined;
    return failure('rest_too_few_properties', `${param} must have at least ${counted(low, 'member')}.`);
  };
}

function requiredChecker(names: readonly string[]): Checker | undefined {
  if (names.length === 0) return undefined;
  return (value, param) => {
    const members = toMembers(value);
    const missing = names.find((name) => !Object.hasOwn(members, name));
    return missing === undefined ? undefined : failure('rest_property_required', `${param} must contain ${missing}.`);
  };
}

const settled = (settler: Settler | false | undefined, value: unknown): unknown =>
  settler ? settler.coerce(value) : value;

function objectCoercion(schema: Schema, memberOf: MemberOf): (value: unknown) => unknown {
  const filled = filledMembers(schema);
  return (value) => {
    if (Array.isArray(value) && value.length > 0) return value.map((item, at) => settled(memberOf(String(at)), item));
    const members = toMembers(value);
    const out: Record<string, unknown> = {};
    for (const name of namesOf(members)) out[name] = settled(memberOf(name), members[name]);
    for (const [name, fresh] of filled) if (!Object.hasOwn(out, name)) out[name] = fresh();
    return out;
  };
}

export function objectSettler(schema: Schema, options: CompileOptions, compile: Compile): Settler {
  const memberOf = memberFinder(schema, options, compile);
  const coerce = objectCoercion(schema, memberOf);
  const check = inOrder([
    typeChecker('object', schema),
    requiredChecker(requiredNames(schema)),
    membersChecker(schema, memberOf),
    enumChecker(schema, coerce),
  ]);
  return { check, coerce };
}
