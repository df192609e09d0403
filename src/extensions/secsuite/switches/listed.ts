// The modules there are, each found by its id; what only extends another is part of that one.
import { Problem } from '#kernel/problem.ts';
import type { Module, SettingsCard } from '../module.ts';
import type { Listed } from './types.ts';

export function listed(modules: readonly Module[]): Listed {
  const own = modules.filter((module) => module.extends === undefined);
  const all = own.map((module) => modules.filter((one) => one.extends === module.id).reduce(joined, module));
  const byId = new Map(all.map((module) => [module.id, module]));
  return {
    all,
    find: (id) => byId.get(id),
    get(id) {
      const module = byId.get(id);
      if (module === undefined) throw new Problem(404, 'rest_module_not_found', 'There is no module of this name.');
      return module;
    },
  };
}

const joined = (one: Module, more: Module): Module => ({
  ...one,
  userGroups: { ...one.userGroups, ...more.userGroups },
  ...(more.settings && { settings: one.settings ? joinedSettings(one.settings, more.settings) : more.settings }),
});

const joinedSettings = (one: SettingsCard, more: SettingsCard): SettingsCard => ({
  schema: {
    ...one.schema,
    properties: { ...one.schema.properties, ...more.schema.properties },
    ...((one.schema.uiSchema || more.schema.uiSchema) && {
      uiSchema: { ...more.schema.uiSchema, ...one.schema.uiSchema },
    }),
  },
  conditional: { ...one.conditional, ...more.conditional },
  ...Object.fromEntries(lists.map((name) => [name, [...(one[name] ?? []), ...(more[name] ?? [])]])),
});

const lists = ['readonly', 'ours', 'lasting', 'secret', 'deprecated', 'removed', 'onboard', 'import'] as const;
