// Which modules are on. One runs while it is on and all is met that it needs for that.
import { Problem } from '#kernel/problem.ts';
import { flag } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Behalf } from '../behalf.ts';
import type { Module } from '../module.ts';
import type { Settings } from '../settings/types.ts';
import { createSnapshot } from '../snapshot.ts';
import type { Unmet } from './requirements.ts';
import type { SwitchTables } from './tables.ts';
import type { Hooks, Listed, Switches } from './types.ts';

interface Needs {
  readonly store: AnyStore;
  readonly modules: Listed;
  /** What the deployment says of modules that nobody has switched yet. */
  readonly deployment: Readonly<Record<string, boolean>>;
  readonly settings: Pick<Settings, 'isReady' | 'ready' | 'onChange'>;
  readonly unmet: Unmet;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

type Listener = Parameters<Switches['onChange']>[0];

export function createSwitches({ store, modules, deployment, settings, unmet, log, stopping }: Needs): Switches {
  const { db, write }: Store<SwitchTables> = store;
  const hooks = new Map<string, Hooks[]>();
  const listeners = new Set<Listener>();
  const snapshot = createSnapshot({
    store,
    tables: ['secsuite_modules'],
    load: async () => {
      const rows = await db.selectFrom('secsuite_modules').selectAll().execute();
      return new Map(rows.map(({ id, is_on: isOn }) => [id, isOn === 1]));
    },
    failed: (error) => log.error({ err: error }, 'Which modules of the security suite are on could not be read.'),
    stopping,
  });
  let running: ReadonlySet<string> = new Set();

  const isOn = ({ id, standing }: Module, set: boolean | undefined): boolean =>
    standing === 'always-active' || (set ?? deployment[id] ?? standing === 'default-active');
  const isActive = (id: string): boolean => {
    const module = modules.find(id);
    return module !== undefined && snapshot.isReady && isOn(module, snapshot.now.get(module.id));
  };
  const tell: Listener = (started, stopped) => {
    for (const listener of listeners)
      try {
        listener(started, stopped);
      } catch (error) {
        log.error({ err: error }, 'Somebody who was told that modules started or stopped has failed.');
      }
  };
  const look = (): void => {
    if (!snapshot.isReady || !settings.isReady) return;
    const before = running;
    const now = modules.all.filter((module) => isActive(module.id) && unmet(module, 'run').length === 0);
    running = new Set(now.map(({ id }) => id));
    const started = [...running].filter((id) => !before.has(id));
    const stopped = [...before].filter((id) => !running.has(id));
    if (started.length + stopped.length > 0) tell(started, stopped);
  };
  const ready = Promise.all([snapshot.ready, settings.ready]).then(look);
  snapshot.onChange(look);
  settings.onChange(look);

  const turn = async (module: Module, on: boolean, { again }: Partial<Behalf>): Promise<boolean> => {
    const { id } = module;
    const isTurned = await write(async (tx, during) => {
      await during.lock('secsuite modules');
      await again?.(tx);
      const row = await tx.selectFrom('secsuite_modules').select('is_on').where('id', '=', id).executeTakeFirst();
      if (isOn(module, row && row.is_on === 1) === on) return false;
      mayTurn(module, on, unmet);
      await tx
        .insertInto('secsuite_modules')
        .values({ id, is_on: flag(on) })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ is_on: flag(on) }))
        .execute();
      return true;
    });
    await snapshot.refresh();
    return isTurned;
  };

  return {
    modules,
    get isReady() {
      return snapshot.isReady && settings.isReady;
    },
    ready,
    isActive,
    isRunning: (id) => running.has(id),
    async set(id, on, behalf) {
      const module = modules.get(id);
      await ready;
      if (!(await turn(module, on, behalf))) return;
      const follows = hooks.get(id) ?? [];
      if (on) await activated(follows, behalf, () => turn(module, false, {}));
      else await deactivated(follows, behalf, id, log);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onSwitched: (id, more) => void hooks.set(id, [...(hooks.get(id) ?? []), more]),
  };
}

function mayTurn(module: Module, on: boolean, unmet: Unmet): void {
  if (module.standing === 'always-active')
    throw new Problem(
      400,
      'secsuite-modules-cannot-activate-always-active-module',
      'This module is always on and cannot be switched.',
    );
  const reasons = on ? unmet(module, 'activate') : [];
  if (reasons.length > 0)
    throw new Problem(
      400,
      'secsuite-modules-cannot-activate-module-unsatisfied-requirements',
      `This module cannot be switched on yet. ${reasons.join(' ')}`,
    );
}

/** A module that could not begin is off again. */
async function activated(hooks: readonly Hooks[], { caller }: Behalf, undo: () => Promise<unknown>): Promise<void> {
  try {
    for (const { activated } of hooks) await activated?.(caller.id);
  } catch (error) {
    await undo();
    throw new Problem(
      500,
      'secsuite-modules-cannot-activate-module-unsatisfied-dependencies',
      'This module could not begin its work, and is off again.',
      {},
      { cause: error },
    );
  }
}

/** Nothing keeps a module on that somebody wants off. */
async function deactivated(hooks: readonly Hooks[], { caller }: Behalf, id: string, log: Log): Promise<void> {
  for (const { deactivated } of hooks)
    try {
      await deactivated?.(caller.id);
    } catch (error) {
      log.error({ err: error, module: id }, 'What follows when a module is switched off has failed.');
    }
}
