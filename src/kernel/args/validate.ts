// A schema becomes two closures: `check` names the first thing wrong with a value, `coerce` turns a checked value into
// what handlers read. Nothing of the schema is looked at again while requests are served.

import type { Schema } from '../schema.ts';
import {
  accepts,
  type CompileOptions,
  enumChecker,
  type Failure,
  failure,
  inOrder,
  type Settler,
  same,
  type TypeName,
} from './checks.ts';
import { booleanSettler, listSettler, nullSettler, numberSettler, objectSettler, stringSettler } from './settlers.ts';
import { kindOf, listed } from './wording.ts';

function ofType(type: string, schema: Schema, options: CompileOptions): Settler {
  switch (type) {
    case 'integer':
    case 'number':
      return numberSettler(type, schema);
    case 'string':
      return stringSettler(schema, options);
    case 'boolean':
      return booleanSettler(schema);
    case 'array':
      return listSettler(schema, options, compile);
    case 'object':
      return objectSettler(schema, options, compile);
    case 'null':
      return nullSettler(schema);
    default:
      throw new TypeError(`A schema names the type ${type}, which does not exist.`);
  }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** The first type that takes the value; where several could, the one that keeps what was sent. */
function picker(types: readonly TypeName[]): (value: unknown) => TypeName | undefined {
  const has = (type: TypeName): boolean => types.includes(type);
  const eitherWay = has('object') && has('array');
  return (value) => {
    if (value === '' && has('string')) return 'string';
    if (eitherWay && isEmpty(value)) return 'array';
    return types.find((type) => accepts[type](value));
  };
}

function ofTypes(types: readonly TypeName[], schema: Schema, options: CompileOptions): Settler {
  const settlers = new Map(types.map((type) => [type, ofType(type, schema, options)]));
  const pick = picker(types);
  const settlerOf = (value: unknown): Settler | undefined => {
    const type = pick(value);
    return type && settlers.get(type);
  };
  const kind = kindOf({ ...schema, type: types });
  return {
    check: (value, param) => {
      const settler = settlerOf(value);
      if (settler) return settler.check(value, param);
      return failure('rest_invalid_type', `${param} must be ${kind}.`, { param });
    },
    coerce: (value) => settlerOf(value)?.coerce(value),
  };
}

interface Branch {
  schema: Schema;
  settler: Settler;
}

interface Miss {
  branch: Branch;
  position: number;
  wrong: Failure;
}

/** How many of the members that were sent a branch knows. */
function likeness(branch: Branch, value: unknown): number {
  const known = branch.schema.properties;
  if (!known || typeof value !== 'object' || value === null) return 0;
  return Object.keys(value).filter((name) => Object.hasOwn(known, name)).length;
}

/** The branch that was meant: the only one of the right type, or among objects the one most alike. */
function nearest(misses: readonly Miss[], value: unknown, param: string): Miss | undefined {
  if (misses.length === 1) return misses[0];
  const typed = misses.filter(({ wrong }) => wrong.code !== 'rest_invalid_type' || wrong.data?.param !== param);
  if (typed.length < 2) return typed[0];
  if (typed[0]?.branch.schema.type !== 'object') return undefined;
  const best = Math.max(...typed.map(({ branch }) => likeness(branch, value)));
  return best > 0 ? typed.find(({ branch }) => likeness(branch, value) === best) : undefined;
}

const formOf = (schema: Schema): string => (schema.enum === undefined ? kindOf(schema) : listed(schema.enum));

function noMatch(misses: readonly Miss[], value: unknown, param: string): Failure {
  const near = nearest(misses, value, param);
  if (near) return failure('rest_no_matching_schema', near.wrong.message, { position: near.position });
  const titles = misses.flatMap(({ branch }) => branch.schema.title ?? []);
  const named =
    titles.length === misses.length
      ? titles.join(', ')
      : misses.map(({ branch: { schema } }) => formOf(schema)).join(', ');
  return failure('rest_no_matching_schema', `${param} must be one of: ${named}.`);
}

function branchChecker(branches: readonly Branch[], exactlyOne: boolean): Settler['check'] {
  return (value, param) => {
    const misses: Miss[] = [];
    const positions: number[] = [];
    for (const [position, branch] of branches.entries()) {
      const wrong = branch.settler.check(value, param);
      if (wrong) misses.push({ branch, position, wrong });
      else if (!exactlyOne) return undefined;
      else positions.push(position);
    }
    if (positions.length === 0) return noMatch(misses, value, param);
    if (positions.length === 1) return undefined;
    const message = `${param} matches more than one of its documented forms. Change it so that it matches only one.`;
    return failure('rest_one_of_multiple_matches', message, { positions });
  };
}

/** Alternatives. What stands beside them holds for every one of them. */
function ofBranches(schema: Schema, options: CompileOptions): Settler {
  const { oneOf, anyOf, ...shared } = schema;
  if (oneOf && anyOf) throw new TypeError('A schema has either oneOf or anyOf, not both.');
  const branches = (oneOf ?? anyOf ?? []).map((branch): Branch => {
    const typed = branch.type === undefined && shared.type !== undefined ? { ...branch, type: shared.type } : branch;
    return { schema: typed, settler: compile(typed, options) };
  });
  const outer = shared.type === undefined && !shared.enum ? undefined : compile(shared, options);
  const coerceBranch = (value: unknown): unknown =>
    branches.find(({ settler }) => !settler.check(value, ''))?.settler.coerce(value);
  return {
    check: inOrder([branchChecker(branches, oneOf !== undefined), outer?.check]),
    coerce: outer ? (value) => outer.coerce(coerceBranch(value)) : coerceBranch,
  };
}

export function compile(schema: Schema, options: CompileOptions = {}): Settler {
  if (schema.oneOf || schema.anyOf) return ofBranches(schema, options);
  const { type } = schema;
  if (type === undefined) return { check: inOrder([enumChecker(schema, same)]), coerce: same };
  if (typeof type === 'string') return ofType(type, schema, options);
  return ofTypes(type as readonly TypeName[], schema, options);
}
