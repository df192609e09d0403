// Changes what stands at a path in a document: `*.users` is the members `users` of all items of a list.

type Change = (value: unknown) => Promise<unknown>;

/** Of a list, what becomes of nothing is dropped; in any other place an empty object stands for it. */
export async function mappedAt(value: unknown, path: readonly string[], change: Change): Promise<unknown> {
  const [name, ...rest] = path;
  if (name === undefined) return changed(value, change);
  if (name === '*') {
    if (!Array.isArray(value)) return value;
    return Promise.all(value.map((item) => mappedAt(item, rest, change)));
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const members = value as Record<string, unknown>;
  return { ...members, [name]: await mappedAt(members[name], rest, change) };
}

async function changed(value: unknown, change: Change): Promise<unknown> {
  if (Array.isArray(value)) return (await Promise.all(value.map(change))).filter((one) => one !== undefined);
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return (isEmpty ? undefined : await change(value)) ?? {};
}
