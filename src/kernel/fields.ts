// `_fields`: which members of the answer the client wants. Dots select inside; naming a parent keeps the whole.

export interface Fields {
  /** `null` keeps the whole member. */
  readonly members: ReadonlyMap<string, Fields | null>;
}

type Growing = Map<string, { members: Growing } | null>;

function parseFields(value: unknown): Fields | undefined {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [value];
  const wanted = names.flatMap((name) => (typeof name === 'string' ? name.split(/[\s,]+/) : [])).filter(Boolean);
  if (wanted.length === 0) return undefined;
  const members: Growing = new Map();
  for (const name of wanted) keep(members, name.split('.'));
  return { members };
}

function keep(members: Growing, path: readonly string[]): void {
  let here = members;
  for (const [depth, name] of path.entries()) {
    const known = here.get(name);
    if (known === null) return;
    if (depth === path.length - 1) {
      here.set(name, null);
      return;
    }
    const next = known ?? { members: new Map() };
    here.set(name, next);
    here = next.members;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The wanted members of one record, in the record's own order; `[]` when nothing is left, as clients expect. */
export function selectFields(record: unknown, fields: Fields | undefined): unknown {
  if (fields === undefined || !isObject(record)) return record;
  const selected = select(record, fields);
  return Object.keys(selected).length === 0 ? [] : selected;
}

/** Each record of a list by itself; anything else as one record. */
export const selectFieldsOfAll = (body: unknown, fields: Fields | undefined): unknown =>
  Array.isArray(body) ? body.map((one) => selectFields(one, fields)) : selectFields(body, fields);

function select(record: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const inner = fields.members.get(name);
    if (inner === undefined) continue;
    if (inner === null) selected[name] = value;
    else if (isObject(value)) {
      const part = select(value, inner);
      if (Object.keys(part).length > 0) selected[name] = part;
    }
  }
  return selected;
}

/** What a request's `_fields` asks for. `_embedded` implies `_links`. */
export function wantedFields(value: unknown): Fields | undefined {
  const fields = parseFields(value);
  if (fields === undefined) return undefined;
  const members = new Map(fields.members);
  if (members.has('_embedded')) members.set('_links', null);
  return { members };
}
