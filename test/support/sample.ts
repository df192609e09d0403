// A value that fits: for a schema as a route declares it or the index prints it, and for a group of a path.
import type { Schema } from '#kernel/schema.ts';

const formats: Record<string, string> = {
  'date-time': '2026-11-20T12:00:00',
  date: '2026-11-20',
  email: 'someone@site.test',
  uri: 'https://site.test/',
  url: 'https://site.test/',
  ip: '192.0.2.1',
  uuid: '0b8f5c3e-7d52-4d0b-9c3a-5c7e0a1b2c3d',
  'hex-color': '#aabbcc',
};

/** What clients are told of its format counts where nothing else is said. */
function text({ format, published, pattern, minLength = 0 }: Schema): string {
  const fits = [formats[format ?? published?.format ?? ''] ?? 'word', ...words].find(
    (word) => word.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(word)),
  );
  return fits ?? 'w'.repeat(minLength);
}

function integer({ minimum, maximum, exclusiveMinimum, multipleOf = 1 }: Schema): number {
  const least = minimum === undefined ? Math.min(1, maximum ?? 1) : minimum + (exclusiveMinimum ? 1 : 0);
  return Math.ceil(least / multipleOf) * multipleOf;
}

const list = ({ items = { type: 'string' }, minItems = 1 }: Schema): unknown[] =>
  Array.from({ length: minItems }, (_, at) =>
    typeof sample(items) === 'string' ? `${sample(items)}${at || ''}` : sample(items),
  );

function object({ properties = {}, required, minProperties = 0 }: Schema): Record<string, unknown> {
  const names = Object.entries(properties).filter(
    ([name, member], at) =>
      member.required === true || (Array.isArray(required) && required.includes(name)) || at < minProperties,
  );
  return Object.fromEntries(names.map(([name, member]) => [name, sampleOf(name, member)]));
}

const makers: Record<string, (schema: Schema) => unknown> = {
  string: text,
  integer,
  number: integer,
  boolean: () => true,
  array: list,
  object,
  null: () => null,
};

/** The plainest value a schema takes. */
export function sample(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  const branch = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (branch !== undefined) return sample(branch);
  const type = typeof schema.type === 'object' ? schema.type[0] : schema.type;
  return type === undefined ? 'word' : makers[type]?.(schema);
}

/** The same for a member or an argument whose name says more than its schema. */
export const sampleOf = (name: string, schema: Schema): unknown =>
  name === 'password' ? 'a password of some length' : sample(schema);

const words = ['1', 'word', 'word-one', 'me', 'database', '192.0.2.1', 'abc', 'ABC', 'a/b'];

const group = /\(\?P<(\w+)>/;

/** The path a pattern of the index stands for, its groups filled with these values or with whatever fits. */
export function samplePath(pattern: string, values: Readonly<Record<string, string>> = {}): string {
  const open = group.exec(pattern);
  if (open === null) return pattern;
  const end = closing(pattern, open.index);
  const regex = new RegExp(`^(?:${pattern.slice(open.index + open[0].length, end)})$`);
  const value =
    values[open[1]!] ?? [pattern.slice(open.index + open[0].length, end), ...words].find((word) => regex.test(word));
  if (value === undefined) throw new Error(`No sample fits ${pattern}; add one to test/support/sample.ts.`);
  return pattern.slice(0, open.index) + value + samplePath(pattern.slice(end + 1), values);
}

function closing(text: string, open: number): number {
  let depth = 0;
  let inClass = false;
  for (let at = open; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\\') at++;
    else if (inClass) inClass = letter !== ']';
    else if (letter === '[') inClass = true;
    else if (letter === '(') depth++;
    else if (letter === ')' && --depth === 0) return at;
  }
  throw new Error(`The pattern ${text} does not close.`);
}
