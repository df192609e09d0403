/** With all that is inside it: what many share, nobody changes. */
export function frozen<T>(thing: T): T {
  if (typeof thing === 'object' && thing !== null) for (const inner of Object.values(thing)) frozen(inner);
  return Object.freeze(thing);
}
