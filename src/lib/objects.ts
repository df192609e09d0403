// Plain objects: frozen, without gaps, and read from JSON.

/** Freezes an object and everything in it, because many readers share it. */
export function deepFreeze<T>(thing: T): T {
  if (typeof thing === 'object' && thing !== null) for (const inner of Object.values(thing)) deepFreeze(inner);
  return Object.freeze(thing);
}

/** The members that may be undefined become optional, because an undefined one is dropped. */
type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops members that are `undefined`, so that code which lists the keys does not meet them. */
export function withoutUndefined<const T extends object>(all: T): WithoutUndefined<T> {
  const defined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) defined[name] = value;
  return defined as WithoutUndefined<T>;
}

/** The names of its members. */
export const keysOf = <T extends object>(all: T): readonly (keyof T & string)[] =>
  Object.keys(all) as (keyof T & string)[];

/** Those of its members that are named. */
export function picked<T extends object, K extends string>(all: T, names: readonly K[]): Pick<T, K & keyof T> {
  const some = names.filter((name) => name in all).map((name) => [name, all[name as K & keyof T]]);
  return Object.fromEntries(some) as Pick<T, K & keyof T>;
}

/** The same members, those that are named first. */
export const ordered = <T extends object>(all: T, first: readonly string[]): T =>
  ({ ...picked(all, first), ...all }) as T;

type Column<T, K extends string> = {
  readonly [N in keyof T as T[N] extends Readonly<Record<K, unknown>> ? N : never]: T[N][K & keyof T[N]];
};

/** What the entries of a table say under one name, by the names of those that say it. */
export function columnOf<T extends Readonly<Record<string, object>>, K extends string>(
  table: T,
  name: K,
): Column<T, K> {
  const entries = Object.entries(table).filter(([, entry]) => name in entry);
  return Object.fromEntries(entries.map(([key, entry]) => [key, Reflect.get(entry, name)])) as Column<T, K>;
}

/** Reads what another server answered; undefined when it is not a JSON object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** What each of several owners names. */
export type NamedBy<T> = readonly (readonly [owner: string, values: readonly (readonly [name: string, value: T])[]])[];

/** Joins what several owners name. A name that is given twice would hide one of the two, so it is refused. */
export function joined<T>(
  owners: NamedBy<T>,
  refusal: (name: string, owner: string, other: string) => Error,
): Map<string, T> {
  const all = new Map<string, T>();
  const ownerOf = new Map<string, string>();
  for (const [owner, values] of owners)
    for (const [name, value] of values) {
      const other = ownerOf.get(name);
      if (other !== undefined) throw refusal(name, owner, other);
      all.set(name, value);
      ownerOf.set(name, owner);
    }
  return all;
}
