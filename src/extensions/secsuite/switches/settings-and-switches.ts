// Settings and switches are made together, because each asks the other: a module runs only while its settings meet its requirements, and
// a setting counts only while its module is on.
import type { Seal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Module } from '../module.ts';
import type { ConditionContext } from '../settings/conditions.ts';
import { listModules } from '../settings/modules.ts';
import { createSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { createRequirements, isFlagOn } from './requirements.ts';
import { createSwitches } from './switches.ts';
import type { Switches } from './types.ts';

interface SwitchDeps extends Pick<ConditionContext, 'front'> {
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

interface SettingsAndSwitches {
  readonly settings: Settings;
  readonly switches: Switches;
  /** What conditions ask. */
  readonly context: ConditionContext;
}

export function createSettingsAndSwitches({
  front,
  isGroup,
  deployment,
  url,
  ...needs
}: SwitchDeps): SettingsAndSwitches {
  const modules = listModules(needs.modules);
  const context: ConditionContext = {
    front,
    isActive: (id) => switches.isActive(id),
    isOn: (flag) => isFlagOn(settings, flag),
  };
  const settings = createSettings({ ...needs, modules, context, isGroup });
  const unmet = createRequirements({ url, settings });
  const switches = createSwitches({ ...needs, modules, deployment, settings, unmet });
  return { settings, switches, context };
}
