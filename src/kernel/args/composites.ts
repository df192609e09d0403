// Lists and objects: their own limits, and what they hold.

import type { Schema } from '../schema.ts';
import {
  type Checker,
  type Compile,
  type CompileOptions,
  enumChecker,
  failure,
  inOrder,
  must,
  type Settler,
  typeChecker,
  within,
} from './checks.ts';
import { canonical, mostInText, namesOf, toList, toMembers } from './coerce.ts';
import { compilePattern } from './scalars.ts';
import { counted } from './wording.ts';

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
      must((value) => isUnique(coerce(value)), 'rest_duplicate_items', 'not contain the same item twice'),
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
