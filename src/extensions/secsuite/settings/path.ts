// Members of values by a path with dots: `maxmind_lite.key`.

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function at(values: unknown, path: string): unknown {
  let here = values;
  for (const name of path.split('.')) {
    if (!isMap(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}

/** The same with that in its place; as it was, where the way there is not. */
export function putAt<T extends Readonly<Record<string, unknown>>>(values: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...values, [name]: value };
  const inner = Object.hasOwn(values, name) ? values[name] : undefined;
  return isMap(inner) ? { ...values, [name]: putAt(inner, rest.join('.'), value) } : values;
}
