// What is undefined as if nobody had ever said it: whoever goes by the names that are there meets no others.

/** Without the members that are undefined. */
export const defined = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
