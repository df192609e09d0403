// What a condition looks at, in the shape of a request.
import { type Path, parameterOf } from '../engine/parameter.ts';
import { emptyMap, isHiddenName, type MapShape, missing, type RequestShape, type Shape, unknownMap } from './shape.ts';

/** A value of which nothing is known, not even whether it is there. */
export const anything: unique symbol = Symbol('anything');
export type Value = Shape | typeof anything;

export const isPart = (value: Value): boolean => value !== anything && ('map' in value || 'list' in value);

/** Nothing is hashed in it. */
export function shapeOfValue(value: unknown): Shape {
  if (Array.isArray(value)) return { list: value.map(shapeOfValue), missing: missing.none };
  if (typeof value === 'object' && value !== null)
    return {
      map: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOfValue(one)])),
      missing: missing.none,
    };
  return { v: value as string };
}

/** The value itself, if all of it is known. */
export function plainOf(shape: Shape): unknown {
  if ('v' in shape) return shape.v;
  if ('map' in shape) {
    if (shape.missing !== missing.none || shape.repeated !== undefined) return anything;
    const members = Object.entries(shape.map).map(([name, one]) => [name, plainOf(one)] as const);
    return members.some(([, one]) => one === anything) ? anything : Object.fromEntries(members);
  }
  if (!('list' in shape) || shape.missing !== missing.none) return anything;
  const items = shape.list.map(plainOf);
  return items.includes(anything) ? anything : items;
}

export function valuesAt(written: unknown, request: RequestShape): readonly Value[] {
  const parameter = typeof written === 'string' ? parameterOf(written) : undefined;
  if (parameter === undefined) return [];
  const root = sourceOf(parameter.source, request);
  if (root === anything) return [anything];
  return root === undefined ? [] : lookUp(root, parameter);
}

function sourceOf(name: string, request: RequestShape): Value | undefined {
  const { get, post, isFormMissing, isRawMissing } = request;
  const form = post ?? (isFormMissing ? unknownMap : undefined);
  switch (name) {
    case 'get':
    case 'cookie':
    case 'server':
    case 'rest':
      return request[name];
    case 'post':
      return form;
    case 'request':
      return get || form ? merged(get, form) : undefined;
    case 'files':
      return request.files ?? (isFormMissing ? unknownMap : undefined);
    case 'raw':
      return isRawMissing ? anything : request.raw;
    case 'all':
      return allSources(request, form);
    default:
      return anything;
  }
}

function allSources({ get, raw, isRawMissing, server }: RequestShape, form: MapShape | undefined): MapShape {
  const { REQUEST_URI: url } = server.map;
  const body = isRawMissing ? unknownMap : raw === undefined ? emptyMap : { map: { raw }, missing: missing.none };
  const map = { post: form ?? emptyMap, get: get ?? emptyMap, ...(url && { url }), raw: body };
  return { map, missing: url === undefined ? missing.any : missing.none };
}

function merged(one: MapShape = emptyMap, other: MapShape = emptyMap): MapShape {
  const repeated = [...(one.repeated ?? []), ...(other.repeated ?? [])];
  return {
    map: { ...one.map, ...other.map },
    missing: Math.max(one.missing, other.missing) as MapShape['missing'],
    ...(repeated.length > 0 && { repeated }),
  };
}

const isNull = (value: Value): boolean => value !== anything && 'v' in value && value.v === null;

/** As the engine looks it up. */
export function lookUp(root: Shape, { steps, isWild }: Path): readonly Value[] {
  let found: Value[] = [root];
  let parents: Value[] = [];
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    const isWildStep = step === '*' || (isLast && step.endsWith('*'));
    parents = found;
    found = found.flatMap((one) => (isWildStep ? children(one, step.slice(0, -1)) : child(one, step)));
  }
  if (isWild) found = found.flatMap((one) => (isPart(one) ? children(one, '') : [one]));
  const last = steps.at(-1);
  const repeats = last === undefined ? [] : parents.flatMap((one) => repeatsOf(one, last));
  return [...found.filter((one) => !isNull(one)), ...repeats];
}

function child(of: Value, name: string): Value[] {
  if (of === anything) return [anything];
  if ('list' in of) {
    const item = /^\d+$/.test(name) ? of.list[Number(name)] : undefined;
    return item === undefined ? (of.missing === missing.none ? [] : [anything]) : [item];
  }
  if (!('map' in of)) return [];
  if (Object.hasOwn(of.map, name)) return [of.map[name]!];
  const mayBeThere = of.missing === missing.any || (of.missing === missing.secrets && isHiddenName(name));
  return mayBeThere ? [anything] : [];
}

export function children(of: Value, prefix: string): Value[] {
  if (of === anything) return [anything];
  const entries = 'map' in of ? Object.entries(of.map) : 'list' in of ? Object.entries(of.list) : [];
  const isWhole = !('missing' in of) || of.missing === missing.none;
  return [
    ...entries.flatMap(([name, one]) => (isNull(one) || !name.startsWith(prefix) ? [] : [one])),
    ...(isWhole ? [] : ([anything] as const)),
  ];
}

function repeatsOf(of: Value, step: string): Shape[] {
  if (of === anything || !('map' in of)) return [];
  const isAsked = (name: string): boolean =>
    name === step || (step.endsWith('*') && name.startsWith(step.slice(0, -1)));
  return (of.repeated ?? []).flatMap(([name, value]) => (isAsked(name) ? [value] : []));
}
