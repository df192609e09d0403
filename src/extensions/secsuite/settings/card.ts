// The settings of one module, made ready: what there is, what fits, what is usual.
import type { Failure, Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import { deepFreeze } from '#lib/objects.ts';
import type { Condition, Module, SettingSchema } from '../module.ts';
import { cleaned, type Misfit, misfit } from './formats.ts';
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
