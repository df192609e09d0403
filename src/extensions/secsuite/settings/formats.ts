// What the formats of settings mean that no other part of the interface knows.
import { isAbsolute } from 'node:path';
import { filterPost } from '#site/content/filter/filter.ts';
import type { SettingSchema } from '../module.ts';

interface Format {
  readonly fits?: (text: string) => boolean;
  /** Continues "must be …". */
  readonly kind?: string;
  readonly clean?: (text: string) => string;
}

const longest = 4096;

const isPath = (text: string): boolean =>
  text.length <= longest && !/\p{Cc}/u.test(text) && !text.split(/[/\\]/).includes('..');

const path: Format = { fits: (text) => isAbsolute(text) && isPath(text), kind: 'a path that begins at the root' };

const formats = new Map<string, Format>([
  ['html', { clean: (text) => filterPost(text) }],
  ['file-path', path],
  ['directory', path],
  [
    'relative-file-path',
    {
      fits: (text) => text !== '' && !isAbsolute(text) && isPath(text),
      kind: 'a path below the folder of the site',
    },
  ],
]);

/** The text as it becomes. */
type Each = (text: string, format: string) => string;

/** Every text in the value that has a format. What has a pattern is judged by that alone. */
function eachText(value: unknown, schema: SettingSchema, each: Each): unknown {
  const { format, pattern, items, properties = {}, additionalProperties: others } = schema;
  if (typeof value === 'string') return format && pattern === undefined ? each(value, format) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return items ? value.map((item) => eachText(item, items, each)) : value;
  const schemaOf = (name: string): SettingSchema =>
    (Object.hasOwn(properties, name) ? properties[name] : typeof others === 'object' ? others : undefined) ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, eachText(member, schemaOf(name), each)]),
  );
}

export const cleaned = (value: unknown, schema: SettingSchema): unknown =>
  eachText(value, schema, (text, format) => formats.get(format)?.clean?.(text) ?? text);

/** A format that some text in the value does not have, and what such a text must be. */
export interface Misfit {
  readonly format: string;
  readonly kind: string;
}

export function misfit(value: unknown, schema: SettingSchema): Misfit | undefined {
  const found: Misfit[] = [];
  eachText(value, schema, (text, format) => {
    const { fits, kind = 'usable' } = formats.get(format) ?? {};
    if (fits?.(text) === false) found.push({ format, kind });
    return text;
  });
  return found[0];
}
