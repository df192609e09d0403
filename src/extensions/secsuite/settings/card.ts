// The settings of one module, made ready: what there is, what fits, what the formats of the suite mean, what the defaults are.

import { isAbsolute } from 'node:path';
import type { Failure, Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import { deepFreeze } from '#lib/objects.ts';
import { filterPost } from '#site/content/filter/filter.ts';
import { suiteErrors } from '../errors.ts';
import type { Condition, Module, SettingSchema } from '../module.ts';
import type { ModuleList } from './modules.ts';
import type { Values } from './types.ts';

export interface Card {
  readonly id: string;
  readonly names: readonly string[];
  readonly defaults: Values;
  readonly readonly: ReadonlySet<string>;
  readonly ours: ReadonlySet<string>;
  readonly lasting: ReadonlySet<string>;
  readonly deprecated: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  /** By path. */
  readonly conditional: readonly (readonly [path: string, condition: Condition])[];
  /** Paths. */
  readonly secrets: readonly string[];
  /** Paths of lists of groups. */
  readonly groupLists: readonly string[];
  /** The value that was meant, where it was sent in another word for it. */
  meant(name: string, value: unknown): unknown;
  /** What people call the setting. */
  title(name: string): string;
  /** What is wrong with the value, by the schema. */
  wrong(name: string, value: unknown): Failure | undefined;
  misfit(name: string, value: unknown): Misfit | undefined;
  /** A value that fits, as it is kept: of its type, cleaned, and with the members that it leaves out. */
  settled(name: string, value: unknown): unknown;
}

/** Nothing, where the module has no settings. */
export function cardOf(module: Module): Card | undefined {
  const { id, settings, userGroups = {} } = module;
  if (settings === undefined) return undefined;
  const { properties } = settings.schema;
  const names = Object.keys(properties);
  const settlers = new Map(names.map((name) => [name, compile(properties[name]!, { strictDates: true })]));
  const settlerOf = (name: string): Settler => settlers.get(name)!;
  const title = (name: string): string => properties[name]?.title ?? name;
  const conditional = Object.entries(settings.conditional ?? {});
  const named = conditional.flatMap(([, condition]) => condition['user-groups'] ?? []);
  const only = (list: readonly string[] = []): ReadonlySet<string> => new Set(list);
  return {
    id,
    names,
    defaults: deepFreeze(
      Object.fromEntries(names.map((name) => [name, structuredClone(properties[name]?.default ?? null)])),
    ),
    readonly: only(settings.readonly),
    ours: only(settings.ours),
    lasting: only(settings.lasting),
    deprecated: only(settings.deprecated),
    removed: only(settings.removed),
    conditional,
    secrets: settings.secret ?? [],
    groupLists: [...new Set([...Object.keys(userGroups).filter((name) => names.includes(name)), ...named])],
    meant: (name, value) => meantBy(settings.meant?.[name], value),
    title,
    wrong: (name, value) => settlerOf(name).check(value, title(name)),
    misfit: (name, value) => misfit(value, properties[name]!),
    settled: (name, value) => cleaned(filled(settlerOf(name).coerce(value), properties[name]!), properties[name]!),
  };
}

function meantBy(words: Readonly<Record<string, string>> = {}, value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return Object.hasOwn(words, word) ? words[word] : value;
}

/** With the members that have a default and are not there. */
function filled(value: unknown, { properties = {} }: SettingSchema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const whole: Record<string, unknown> = { ...members };
  for (const [name, schema] of Object.entries(properties)) {
    const inner = Object.hasOwn(members, name) ? members[name] : schema.default;
    if (inner !== undefined) whole[name] = filled(structuredClone(inner), schema);
  }
  return whole;
}

export interface Cards {
  readonly all: readonly Card[];
  /** For whoever knows the module by heart. */
  get(id: string): Card;
  /** Refuses what is no module, or one without settings. */
  asked(id: string): Card;
}

export function createCards(modules: ModuleList): Cards {
  const all = modules.all.flatMap((module) => cardOf(module) ?? []);
  const byId = new Map(all.map((card) => [card.id, card]));
  return {
    all,
    get(id) {
      const card = byId.get(id);
      if (card === undefined) throw new Error(`The module ${id} has no settings.`);
      return card;
    },
    asked(id) {
      const card = byId.get(modules.get(id).id);
      if (card === undefined) throw suiteErrors.unsupportedModule();
      return card;
    },
  };
}

interface Format {
  readonly fits?: (text: string) => boolean;
  /** Continues "must be …". */
  readonly kind?: string;
  readonly clean?: (text: string) => string;
}

const longest = 4096;

const isPath = (text: string): boolean =>
  text.length <= longest && !/\p{Cc}/u.test(text) && !text.split(/[/\\]/).includes('..');

const path: Format = { fits: (text) => isAbsolute(text) && isPath(text), kind: 'an absolute path' };

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
export function eachText(value: unknown, schema: SettingSchema, each: Each): unknown {
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

const cleaned = (value: unknown, schema: SettingSchema): unknown =>
  eachText(value, schema, (text, format) => formats.get(format)?.clean?.(text) ?? text);

/** A format that some text in the value does not have, and what such a text must be. */
interface Misfit {
  readonly format: string;
  readonly kind: string;
}

function misfit(value: unknown, schema: SettingSchema): Misfit | undefined {
  const found: Misfit[] = [];
  eachText(value, schema, (text, format) => {
    const { fits, kind = 'usable' } = formats.get(format) ?? {};
    if (fits?.(text) === false) found.push({ format, kind });
    return text;
  });
  return found[0];
}
