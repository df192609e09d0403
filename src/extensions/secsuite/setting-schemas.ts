// The words that modules say what they are with: settings of the usual kinds, conditions, the card of settings.
import type { Condition, Setting, SettingSchema, SettingsCard } from './module.ts';

/** Said of a module that can be set already, so that nobody trusts in what is not done. */
export const later = 'Not available in this version: it has no effect, and its settings are only stored.';

/** A setting that established clients look for and nothing here reads. It says so wherever it is described. */
export const unavailable = <const S extends SettingSchema>(schema: S, why?: string): S => ({
  ...schema,
  description: [schema.description, `Not available in this version${why === undefined ? '' : `: ${why}`}.`]
    .filter((sentence) => sentence !== undefined)
    .join(' '),
});

export const allUnavailable = <const P extends Readonly<Record<string, SettingSchema>>>(properties: P): P =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, unavailable(schema)])) as P;

/** Yes or no. */
export const flag = (usual: boolean, title: string, description: string): Setting<boolean> => ({
  type: 'boolean',
  default: usual,
  title,
  description,
});

/** A whole number that is at least so much. */
export const count = (usual: number, minimum: number, title: string, description: string): Setting<number> => ({
  type: 'integer',
  minimum,
  default: usual,
  title,
  description,
});

/** More than a thousand years: what is reckoned from now, either way, stays a day that the calendar has. */
const mostDays = 500_000;

/** A number of days. */
export const days = (...said: Parameters<typeof count>): Setting<number> => ({ ...count(...said), maximum: mostDays });

/** A number of minutes. */
export const minutes = (...said: Parameters<typeof count>): Setting<number> => ({
  ...count(...said),
  maximum: mostDays * 24 * 60,
});

/** A line of text. */
export const line = (title: string, description: string): Setting<string> => ({
  type: 'string',
  default: '',
  title,
  description,
});

/** One of these values, each with what it is called. */
export const named = <V extends string>(
  names: Readonly<Record<V, string>>,
  usual: NoInfer<V>,
  title: string,
  description: string,
): Setting<V> => ({
  type: 'string',
  enum: Object.keys(names),
  enumNames: Object.values(names),
  default: usual,
  title,
  description,
});

/** One of these values, each with what it is called and what it means. */
export const explained = <V extends string>(
  values: Readonly<Record<V, readonly [title: string, description?: string]>>,
  usual: NoInfer<V>,
  title: string,
  description: string,
): Setting<V> => ({
  type: 'string',
  oneOf: Object.entries<readonly [title: string, description?: string]>(values).map(([value, [called, meaning]]) => ({
    type: 'string',
    enum: [value],
    title: called,
    ...(meaning !== undefined && { description: meaning }),
  })),
  default: usual,
  title,
  description,
});

/** A setting without a place in a form. */
export const hidden = <const S extends SettingSchema>(schema: S): S => ({ ...schema, readonly: true });

/** A number that the suite notes for itself. */
export const noted: Setting<number> = hidden({ type: 'integer', minimum: 0, default: 0 });

/** The groups a setting holds for. */
export const groupList: Setting<readonly string[]> = hidden({
  type: 'array',
  items: {
    oneOf: [
      { type: 'string', format: 'uuid' },
      { type: 'string', enum: ['everybody-else'] },
    ],
  },
  default: [],
});

/** Holds while each of these settings has one of its values. */
export const when = (values: Readonly<Record<string, readonly (string | boolean)[]>>): Condition => ({
  settings: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(values).map(([name, allowed]) => [name, { type: typeof allowed[0], enum: [...allowed] }]),
    ),
  },
});

/** The same condition for several settings. */
export const forAll = (names: readonly string[], condition: Condition): Record<string, Condition> =>
  Object.fromEntries(names.map((name) => [name, condition]));

const selections = (items: readonly string[]): string[][] => [
  [],
  ...items.flatMap((first) =>
    selections(items.filter((item) => item !== first)).map((rest): string[] => [first, ...rest]),
  ),
];

/** Every list of some of these items, in any order, that has this one: how the dialect says that a list contains something. */
export const listsWith = (items: readonly string[], one: string): string[][] =>
  selections(items).filter((list) => list.includes(one));

type Properties = Readonly<Record<string, SettingSchema>>;
type Said<P extends Properties> = Omit<SettingsCard, 'schema' | 'readonly'> &
  Pick<SettingsCard<P>['schema'], 'properties' | 'uiSchema'>;

/** The card of settings: which of them have no place in a form, their schemas say. */
export function settingsCard<const P extends Properties>({ properties, uiSchema, ...rest }: Said<P>): SettingsCard<P> {
  const readonly = Object.keys(properties).filter((name) => properties[name]?.readonly === true);
  return { schema: { type: 'object', properties, ...(uiSchema && { uiSchema }) }, readonly, ...rest };
}
