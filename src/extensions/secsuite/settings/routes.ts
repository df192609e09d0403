// What may be asked about the settings of modules.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { BehalfSource } from '../base.ts';
import type { ModuleList } from './modules.ts';
import type { Settings, Values } from './types.ts';

interface Setting {
  readonly settings: Settings;
  readonly switches: { readonly modules: ModuleList; isRunning(module: string): boolean };
  readonly manage: BehalfSource;
}

const [all, active] = [':all', ':active'] as const;

export function settingRoutes(tools: Toolkit<Setting>, access: Access<undefined, Setting, object>): Route[] {
  const { route, t, withStatus } = tools;
  // Each module says in its own record what its settings are.
  const resource = tools.resource({ name: 'secsuite-settings', fields: {} });
  const one = { path: 'settings/(?P<id>[\\w-]+)', access, resource, batch: true } as const;
  const word = t.choice([all, active]);
  const ids = t.list(t.string());
  const usual = { default: all };
  return [
    route({
      method: 'GET',
      path: 'settings',
      summary: 'List the settings of all, active or chosen modules',
      access,
      resource,
      args: { modules: t.publishedAs(t.oneOf([word, ids], usual), t.anyOf([word, ids], usual)) },
      several: 'map',
      handle: ({ args: { modules }, use }) =>
        withStatus(200, Object.fromEntries(wanted(use, modules).map((id) => [id, use.settings.shown(id)]))),
    }),
    route({
      ...one,
      method: 'GET',
      summary: 'Get the settings of a module',
      handle: ({ path: { id }, use }) => withStatus(200, use.settings.shown(id)),
    }),
    route({
      ...one,
      method: 'PUT',
      summary: 'Set all settings of a module',
      payload: t.untyped(),
      handle: async ({ path: { id }, payload, caller, use: { settings, manage } }) =>
        withStatus(200, await settings.replace(id, membersOf(payload), manage.behalfOf(caller))),
    }),
    route({
      ...one,
      method: 'PATCH',
      summary: 'Change some settings of a module',
      payload: t.untyped(),
      handle: async ({ path: { id }, payload, caller, use: { settings, manage } }) =>
        withStatus(200, await settings.overlay(id, membersOf(payload), manage.behalfOf(caller))),
    }),
    route({
      ...one,
      method: 'DELETE',
      summary: 'Reset the settings of a module',
      handle: async ({ path: { id }, caller, use: { settings, manage } }) =>
        withStatus(200, await settings.reset(id, manage.behalfOf(caller))),
    }),
  ];
}

/** Those that there are, and have settings. */
function wanted({ switches: { modules, isRunning } }: Setting, which: string | readonly string[]): string[] {
  const set = modules.all.filter(({ settings }) => settings !== undefined).map(({ id }) => id);
  if (which === all) return set;
  if (which === active) return set.filter(isRunning);
  return set.filter((id) => which.includes(id));
}

/** The places of a list are names like any. What is neither holds nothing. */
const membersOf = (document: unknown): Values =>
  typeof document === 'object' && document !== null ? { ...document } : {};
