// Modules and their settings, of which each asks the other: a module runs by what is set, and a setting counts by what is on.
import type { Seal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Ground } from './conditions.ts';
import type { Module } from './module.ts';
import { createSettings } from './settings/settings.ts';
import type { Settings } from './settings/types.ts';
import { listed } from './switches/listed.ts';
import { createRequirements, isFlagOn } from './switches/requirements.ts';
import { createSwitches } from './switches/switches.ts';
import type { Switches } from './switches/types.ts';

interface Needs extends Pick<Ground, 'front'> {
  readonly store: AnyStore;
  readonly seal: Seal;
  readonly modules: readonly Module[];
  /** What the deployment says of modules that nobody has switched yet. */
  readonly deployment: Readonly<Record<string, boolean>>;
  /** Where the site is reached. */
  readonly url: string;
  readonly log: Log;
  readonly stopping: AbortSignal;
  isGroup(id: string): boolean;
}

interface Switchboard {
  readonly settings: Settings;
  readonly switches: Switches;
  /** What conditions ask. */
  readonly ground: Ground;
}

export function createSwitchboard({ front, isGroup, deployment, url, ...needs }: Needs): Switchboard {
  const modules = listed(needs.modules);
  const ground: Ground = {
    front,
    isActive: (id) => switches.isActive(id),
    isOn: (flag) => isFlagOn(settings, flag),
  };
  const settings = createSettings({ ...needs, modules, ground, isGroup });
  const unmet = createRequirements({ url, settings });
  const switches = createSwitches({ ...needs, modules, deployment, settings, unmet });
  return { settings, switches, ground };
}
