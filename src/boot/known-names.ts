// The names and settings that a configuration may hold.
import type { KnownNames } from '#config/deployment.ts';
import type { OperatorSettings, Settings } from '#config/setting.ts';
import { configs } from '../extensions/command-line.ts';
import { planned } from '../extensions/planned.ts';

const namespacesOf = (some: readonly OperatorSettings[]): Record<string, readonly string[]> =>
  Object.fromEntries(some.map(({ name, namespaces }) => [name, namespaces]));

/** Namespaces that are part of every site; they cannot be turned off. */
export const ownNamespaces: readonly string[] = [
  'core/v2',
  'core-site-health/v1',
  'core-block-editor/v1',
  'core-abilities/v1',
];

/** Each extension of content sites and the namespaces it serves, also those that are not in this version. */
export const bundledNamespaces: Readonly<Record<string, readonly string[]>> = {
  ...namespacesOf(configs.filter(({ separate }) => separate === undefined)),
  ...Object.fromEntries(
    Object.entries(planned).map(([name, { namespaces }]) => {
      const served = configs.find((one) => one.name === name)?.namespaces ?? [];
      return [name, [...served, ...namespaces]];
    }),
  ),
};

/** The same of extensions that have a deployment of their own: content sites do not list them. */
export const separateNamespaces: Readonly<Record<string, readonly string[]>> = namespacesOf(
  configs.filter(({ separate }) => separate !== undefined),
);

/** Every name that a deployment file may use. */
export const knownNames: KnownNames = {
  namespaces: ownNamespaces,
  extensions: { ...bundledNamespaces, ...separateNamespaces },
  modules: configs.flatMap(({ modules }) => modules ?? []),
};

/** The settings that extensions bring. */
export const extensionSettings: Settings = Object.fromEntries(
  configs.flatMap(({ settings }) => Object.entries(settings)),
);
