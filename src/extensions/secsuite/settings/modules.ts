// Modules by id. A module that only extends another becomes part of that one, because clients see them as one.
import { suiteErrors } from '../errors.ts';
import type { Module, SettingsCard } from '../module.ts';

/** All modules, each with the settings that others add to it. */
export interface ModuleList {
  /** In the order that clients see; modules that only extend others are not among them. */
  readonly all: readonly Module[];
  find(id: string): Module | undefined;
  /** Throws 404 when no module has the id. */
  get(id: string): Module;
}

export function listModules(modules: readonly Module[]): ModuleList {
  const own = modules.filter((module) => module.extends === undefined);
  const all = own.map((module) => modules.filter((one) => one.extends === module.id).reduce(joined, module));
  const byId = new Map(all.map((module) => [module.id, module]));
  return {
    all,
    find: (id) => byId.get(id),
    get(id) {
      const module = byId.get(id);
      if (module === undefined) throw suiteErrors.moduleNotFound(id);
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
