// The extensions of the site, as clients know them: plugins, each of which is on or off.
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { fold } from '#lib/fold.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing, DoingFor } from '#site/identity/doing.ts';
import type { Card, Extensions } from '#site/packages/packages.ts';
import { coreErrors } from '../errors.ts';

export type Status = 'active' | 'inactive';

export interface Plugin extends Card {
  /** `galleries/galleries`, as clients name them. */
  readonly plugin: string;
  readonly status: Status;
}

export interface Plugins {
  /** Those that are here. */
  list(asked: { readonly search?: string; readonly status?: readonly string[] }): Promise<readonly Plugin[]>;
  find(plugin: string): Promise<Plugin | undefined>;
  /** From the catalogue where it is not here yet. */
  add(slug: string, status: Status, caller: Caller): Promise<Plugin>;
  change(plugin: Plugin, status: Status | undefined, caller: Caller): Promise<Plugin>;
  /** What it was. */
  remove(plugin: Plugin, caller: Caller): Promise<Plugin>;
}

interface Needs {
  readonly extensions: Extensions;
  readonly doing: DoingFor;
}

export function createPlugins({ extensions, doing }: Needs): Plugins {
  const by = (caller: Caller, demand: (asker: Asker) => void): Doing => doing(credentialOf(caller), demand);
  const all = async () => (await extensions.list()).filter(({ installed }) => installed).map(pluginOf);
  const switched = async (slug: string, status: Status, caller: Caller): Promise<Plugin> =>
    pluginOf(
      status === 'active'
        ? await extensions.activate(slug, by(caller, demandActivate))
        : await extensions.deactivate(slug, by(caller, demandManage)),
    );
  return {
    async list({ search = '', status = [] }) {
      const term = fold(search.trim());
      return (await all()).filter((one) => {
        const isFound = [one.name, one.description, one.slug].some((text) => fold(text).includes(term));
        return isFound && (status.length === 0 || status.includes(one.status));
      });
    },
    find: async (plugin) => (await all()).find((one) => one.plugin === plugin),
    async add(slug, status, caller) {
      const card = await extensions.install(slug, by(caller, demandInstall)).catch(inTheirWords);
      return status === 'active' ? switched(card.slug, status, caller) : pluginOf(card);
    },
    change: async (plugin, status = plugin.status, caller) =>
      status === plugin.status ? plugin : switched(plugin.slug, status, caller),
    async remove(plugin, caller) {
      await extensions.remove(plugin.slug, by(caller, demandDelete));
      return plugin;
    },
  };
}

const pluginOf = (card: Card): Plugin => ({
  ...card,
  plugin: `${card.slug}/${card.slug}`,
  status: card.active ? 'active' : 'inactive',
});

/** Clients know by this code that nobody offers what they ask for. */
function inTheirWords(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'plugin_not_found') throw error;
  throw coreErrors.pluginsApiFailed(error.message);
}

export function demandInstall(asker: Asker): void {
  if (!asker.can('install_plugins')) throw coreErrors.cannotInstallPlugin();
}

export function demandActivate(asker: Asker): void {
  if (!asker.can('activate_plugins')) throw coreErrors.cannotActivatePlugin();
}

export function demandManage(asker: Asker): void {
  if (!asker.can('activate_plugins')) throw coreErrors.cannotManagePlugins();
}

export function demandDelete(asker: Asker): void {
  demandManage(asker);
  if (!asker.can('delete_plugins')) throw coreErrors.cannotManagePlugins('remove plugins');
}
