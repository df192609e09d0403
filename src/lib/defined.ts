// Members that are undefined are dropped, because code that goes by the names that are present must not meet them.

/** The members that may be undefined become optional, because an undefined one is dropped. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the members that are undefined. */
export const defined = <const T extends object>(all: T): Defined<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Defined<T>;
