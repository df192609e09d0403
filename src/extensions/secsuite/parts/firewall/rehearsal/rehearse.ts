// Tries a rule on stored shapes of requests. An answer that would need a value that was not stored is unknown.
import type { KeyedHash } from '#site/platform/seal.ts';
import { isMatchType, isNumeric, type Matcher, matcherOf } from '../engine/matching.ts';
import { mutating, tooMuch } from '../engine/mutations.ts';
import { keyPath } from '../engine/parameter.ts';
import { compilePattern } from '../engine/patterns.ts';
import { type Condition, type Match, most, type Rule } from '../engine/rule.ts';
import { startRun } from '../engine/run.ts';
import { isScalar, isTrue, lowered, subjectOf, textOf } from '../engine/subject.ts';
import { createView } from '../engine/view.ts';
import { anything, children, isPart, lookUp, plainOf, shapeOfValue, type Value, valuesAt } from './lookup.ts';
import { nowhere, type RequestShape, type Shape, shortHash } from './shape.ts';

/** Undefined if it cannot be told. */
type Tri = boolean | undefined;

const not = (one: Tri): Tri => (one === undefined ? undefined : !one);

function anyOf<T>(all: Iterable<T>, test: (one: T) => Tri): Tri {
  let result: Tri = false;
  for (const one of all) {
    const found = test(one);
    if (found === true) return true;
    if (found === undefined) result = undefined;
  }
  return result;
}

const allOf = <T>(all: Iterable<T>, test: (one: T) => Tri): Tri => not(anyOf(all, (one) => not(test(one))));

export type Verdict = 'matched' | 'not-matched' | 'unknown';

export interface RehearsalContext {
  readonly hash: KeyedHash;
  readonly siteHost: string;
  /** Whether holders of these roles have this capability. */
  can(roles: readonly string[], capability: string): boolean;
}

interface Scene extends RehearsalContext {
  readonly request: RequestShape;
}

export function rehearse(rule: Pick<Rule, 'rules'>, request: RequestShape, context: RehearsalContext): Verdict {
  const found = holds(rule.rules ?? [], { ...context, request }, 1);
  return found === undefined ? 'unknown' : found ? 'matched' : 'not-matched';
}

/** As the engine counts them: several that are marked have to hold together; one of the others is enough. */
function holds(conditions: readonly Condition[], scene: Scene, level: number): Tri {
  if (level > most.levels || !Array.isArray(conditions)) return false;
  const test = (one: Condition): Tri => meets(one, scene, level);
  const marked = conditions.filter(({ inclusive }) => inclusive === true);
  if (marked.length < 2) return anyOf(conditions, test);
  const together = allOf(marked, test);
  if (together === true) return true;
  return anyOf(
    [
      together,
      anyOf(
        conditions.filter((one) => !marked.includes(one)),
        test,
      ),
    ],
    (one) => one,
  );
}

function meets({ parameter, match, rules, mutations }: Condition, scene: Scene, level: number): Tri {
  const judge = (value: Value): Tri =>
    Array.isArray(rules) ? ifThere(value, holds(rules, scene, level + 1)) : matches(match, value, scene, level);
  return anyOf([parameter ?? []].flat(), (one) => {
    const values = one === false || one === 'rules' ? [{ v: null }] : valuesAt(one, scene.request);
    // Words are looked for in the body as it was sent, which is not stored.
    if (one === 'raw' && readsWords.has(match?.type ?? '') && !Array.isArray(mutations) && values.some(isPart))
      return undefined;
    return anyOf(values, (value) => {
      if (!Array.isArray(mutations)) return judge(value);
      const mutated = mutate(value, mutations);
      return mutated === undefined ? false : judge(mutated);
    });
  });
}

const readsWords = new Set(['contains', 'stripos', 'not_contains', 'regex']);

/** Undefined for a value that the mutations drop. */
function mutate(value: Value, names: readonly string[]): Value | undefined {
  const plain = value === anything ? anything : plainOf(value);
  if (plain === anything) return anything;
  const result = mutating(names)(plain);
  if (result === null || result === undefined) return undefined;
  return result === tooMuch ? anything : shapeOfValue(result);
}

type Judge = (value: Exclude<Shape, { v: unknown }>, match: Match, scene: Scene, level: number) => Tri;

function matches(match: Match | undefined, value: Value, scene: Scene, level: number): Tri {
  if (match === undefined || match === null || !isMatchType(match.type) || level > most.levels) return false;
  if (match.type === 'isset') return ifThere(value, true);
  if (match.type === 'current_user_cannot') return ifThere(value, lacks(match, scene));
  if (match.type === 'file_contains') return value === anything || 'map' in value ? undefined : false;
  if (needsFlag.has(match.type) && typeof match.value !== 'boolean') return false;
  if (value === anything) return undefined;
  const plain = plainOf(value);
  if (plain !== anything) return byEngine(match, plain, scene);
  return (judges[match.type] ?? unknownText)(value as never, match, scene, level);
}

/** It is not known whether there is a value of which nothing is known. */
const ifThere = (value: Value, found: Tri): Tri => (value === anything && found !== false ? undefined : found);

const needsFlag = new Set(['ctype_digit', 'ctype_alnum', 'ctype_special', 'is_numeric']);

const kit = { pattern: (written: unknown) => compilePattern(written).pattern };

/** The value is known, so the engine judges it. */
function byEngine(match: Match, value: unknown, { siteHost }: Scene): Tri {
  const matcher: Matcher = matcherOf(match, kit, 1);
  const view = createView({ ...nowhere, siteHost });
  return matcher(subjectOf(value), startRun({ view, pass: 'late', user: undefined, budget: 50, worked: () => 0 }));
}

function lacks({ value }: Match, { request: { roles }, can }: Scene): Tri {
  if (!isScalar(value)) return false;
  const name = textOf(value);
  if (roles === undefined) return undefined;
  return !(roles.includes(name) || can(roles, name));
}

const isText = (shape: Shape): shape is Extract<Shape, { size: number }> => 'size' in shape;
const isOne = (shape: Shape): boolean => isText(shape) || 'type' in shape;

/** What depends on the signs of a text cannot be told. Maps and lists never match. */
const unknownText: Judge = (shape) => (isOne(shape) ? undefined : false);

function isSameText(shape: Shape, text: string, { hash }: Scene): boolean {
  if (isText(shape)) return shape.size === text.length && shape.hash === shortHash(hash, text);
  return 'hash' in shape && shape.hash === shortHash(hash, text);
}

function looselyEquals(shape: Shape, value: unknown, scene: Scene): Tri {
  if ('v' in shape) return byEngine({ type: 'equals', value }, shape.v, scene);
  if (!isOne(shape) || !isScalar(value)) return false;
  if (typeof value === 'boolean') return isText(shape) ? !isSameText(shape, '0', scene) === isTrue(value) : undefined;
  if (isSameText(shape, textOf(value), scene)) return true;
  // Another text may be the same number.
  return typeof value === 'number' || isNumeric(value) || !isText(shape) ? undefined : false;
}

function contains(shape: Shape, value: unknown, scene: Scene): Tri {
  const needle = value === undefined || value === null ? '' : isScalar(value) ? lowered(textOf(value)) : undefined;
  if (needle === undefined || !isOne(shape)) return false;
  if (needle === '') return true;
  if (!isText(shape)) return undefined;
  if (lowered(shape.begins ?? '').includes(needle) || isSameText(shape, textOf(value as string), scene)) return true;
  return needle.length > shape.size ? false : undefined;
}

const isListed = (shape: Shape, value: unknown, scene: Scene): Tri =>
  Array.isArray(value) ? anyOf(value, (one) => looselyEquals(shape, one, scene)) : false;

const judges: Readonly<Record<string, Judge>> = {
  equals: (shape, { value }, scene) => looselyEquals(shape, value, scene),
  equals_strict(shape, { value }, scene) {
    if (!isOne(shape) || !isScalar(value)) return false;
    const type = 'type' in shape ? shape.type : 'string';
    return type === typeof value && isSameText(shape, textOf(value), scene);
  },
  contains: (shape, { value }, scene) => contains(shape, value, scene),
  stripos: (shape, { value }, scene) => contains(shape, value, scene),
  not_contains: (shape, { value }, scene) => (isOne(shape) ? not(contains(shape, value, scene)) : false),
  in_array: (shape, { value }, scene) => (isOne(shape) ? isListed(shape, value, scene) : false),
  not_in_array: (shape, { value }, scene) =>
    isOne(shape) && Array.isArray(value) ? not(isListed(shape, value, scene)) : false,
  array_in_array(shape, { value }, scene) {
    if (isOne(shape) || !Array.isArray(value)) return false;
    const texts = value.filter(isScalar).map(textOf);
    return anyOf(children(shape, ''), (one) => {
      if (one === anything) return undefined;
      return anyOf(texts, (text) =>
        'v' in one ? isScalar(one.v) && textOf(one.v) === text : isOne(one) && isSameText(one, text, scene),
      );
    });
  },
  array_key_value(shape, { key, match }, scene, level) {
    if (isOne(shape)) return false;
    const paths = [key ?? []].flat().flatMap((one) => (typeof one === 'string' ? (keyPath(one) ?? []) : []));
    return anyOf(paths, (path) => anyOf(lookUp(shape, path), (one) => matches(match, one, scene, level + 1)));
  },
  hostname: (shape) => (isText(shape) ? undefined : false),
};
