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
export const withoutUndefined = <const T extends object>(all: T): WithoutUndefined<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;

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
