// The settings that list groups, of the modules that run: what may be switched on and off for a group.
import type { Module } from '../module.ts';

export interface ListedSetting {
  readonly module: string;
  /** As clients name it: the members on the way to the list, with dots between them. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** For which canonical roles a first set-up switches it on. */
  readonly usually: readonly string[] | 'all';
}

/** Of one module, in order. */
export interface ListedModule {
  readonly id: string;
  readonly title: string;
  readonly settings: readonly ListedSetting[];
}

const holder = 'password-requirements';

/** Those that are switched first, then those that always run, then what passwords have to be; each as the modules are registered. */
export function listedOf(modules: readonly Module[]): ListedModule[] {
  const switched = modules.filter(({ standing }) => standing !== 'always-active');
  const lasting = modules.filter(({ standing }) => standing === 'always-active');
  const byId = new Map<string, ListedModule>();
  const add = (id: string, title: string, settings: readonly ListedSetting[]): void => {
    const before = byId.get(id);
    if (settings.length > 0)
      byId.set(id, { id, title: before?.title ?? title, settings: [...(before?.settings ?? []), ...settings] });
  };
  for (const module of [...switched, ...lasting]) add(module.extends ?? module.id, module.title, listsOf(module));
  const title = modules.find(({ id }) => id === holder)?.title ?? holder;
  for (const module of modules) add(holder, title, demandsOf(module));
  return [...byId.values()];
}

const listsOf = ({ id, extends: other, userGroups = {} }: Module): ListedSetting[] =>
  Object.entries(userGroups).map(([name, { title, description, default: usually }]) => ({
    module: other ?? id,
    name,
    title,
    description,
    usually: usuallyOf(usually),
  }));

const usuallyOf = (usually: string | readonly string[] = []): ListedSetting['usually'] =>
  usually === 'all' ? 'all' : [usually].flat();

const demandsOf = ({ passwordRequirements = {} }: Module): ListedSetting[] =>
  Object.entries(passwordRequirements)
    .filter(([, card]) => card['user-group'])
    .map(([code, { title = code, description = '' }]) => ({
      module: holder,
      name: `requirement_settings.${code}.group`,
      title,
      description,
      usually: [],
    }));

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The groups that the settings of its module list. */
export function listIn(values: Values, { name }: Pick<ListedSetting, 'name'>): readonly string[] {
  const found = name
    .split('.')
    .reduce<unknown>((inner, member) => (isValues(inner) ? inner[member] : undefined), values);
  return Array.isArray(found) ? (found as string[]) : [];
}

/** The same settings, with this group listed or not. */
export function withListed(values: Values, setting: Pick<ListedSetting, 'name'>, group: string, isOn: boolean): Values {
  const list = listIn(values, setting);
  if (list.includes(group) === isOn) return values;
  const after = isOn ? [...list, group] : list.filter((one) => one !== group);
  return placed(values, setting.name.split('.'), after);
}

function placed(values: Values, [member = '', ...rest]: readonly string[], list: readonly string[]): Values {
  const inner = values[member];
  return { ...values, [member]: rest.length === 0 ? list : placed(isValues(inner) ? inner : {}, rest, list) };
}
