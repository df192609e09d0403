// Settings and switches are made together, because each asks the other: a module runs only while its settings meet its requirements, and
// a setting counts only while its module is on.
import type { Seal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Module } from '../module.ts';
import type { ConditionContext } from '../settings/conditions.ts';
import { listModules } from '../settings/modules.ts';
import { createSecretsKey } from '../settings/secrets-key.ts';
import { createSettings } from '../settings/settings.ts';
import { createRequirements, createSwitches, isFlagOn } from './switches.ts';

interface SwitchDeps extends Pick<ConditionContext, 'front'> {
  readonly store: AnyStore;
  /** The key of the site. */
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

export type SettingsAndSwitches = ReturnType<typeof openSettingsAndSwitches>;

export function openSettingsAndSwitches({ front, isGroup, deployment, url, ...deps }: SwitchDeps) {
  const modules = listModules(deps.modules);
  const secretsKey = createSecretsKey({ ...deps, modules: modules.all });
  /** What conditions ask. */
  const context: ConditionContext = {
    front,
    isActive: (id) => switches.isActive(id),
    isOn: (flag) => isFlagOn(settings, flag),
  };
  const settings = createSettings({ ...deps, seal: secretsKey.seal, modules, context, isGroup });
  const unmet = createRequirements({ url, settings });
  const switches = createSwitches({ ...deps, modules, deployment, settings, unmet });
  const running = (): readonly Module[] => modules.all.filter(({ id }) => switches.isRunning(id));
  return { settings, switches, context, secretsKey, running };
}
