// Which modules are on. One runs while it is on and all is met that it needs for that.
import { Problem } from '#kernel/problem.ts';
import { createSnapshot } from '#site/platform/cache/snapshot.ts';
import { flag } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Behalf } from '../behalf.ts';
import { createListeners } from '../listeners.ts';
import type { Module } from '../module.ts';
import type { ModuleList } from '../settings/modules.ts';
import type { Settings } from '../settings/types.ts';
import type { Unmet } from './requirements.ts';
import type { SwitchTables } from './tables.ts';
import type { Hooks, Switches } from './types.ts';

interface Needs {
  readonly store: AnyStore;
  readonly modules: ModuleList;
  /** What the deployment says of modules that nobody has switched yet. */
  readonly deployment: Readonly<Record<string, boolean>>;
  readonly settings: Pick<Settings, 'isReady' | 'ready' | 'onChange'>;
  readonly unmet: Unmet;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

const table = 'secsuite_modules';
/** What runs rests on these. */
const tables = [table, 'secsuite_settings'];

/** As somebody switched it; nothing, where nobody has. */
type Turned = boolean | undefined;

/** Whether it is on, by what somebody switched. */
type IsOn = (module: Module, turned: Turned) => boolean;

export function createSwitches(needs: Needs): Switches {
  const { store, modules, deployment, settings, unmet, log, stopping } = needs;
  const { db }: Store<SwitchTables> = store;
  const snapshot = createSnapshot({
    store,
    stopping,
    tables: [table],
    load: () => turnedIn(db),
    failed: (error) => log.error({ err: error }, 'Which modules of the security suite are on could not be read.'),
  });
  const isOn: IsOn = ({ id, standing }, turned) =>
    standing === 'always-active' || (turned ?? deployment[id] ?? standing === 'default-active');
  const isActive = (id: string): boolean => {
    const module = modules.find(id);
    store.readBefore(tables);
    return module !== undefined && snapshot.isReady && isOn(module, snapshot.now.get(id));
  };
  const running = createRunning({ modules, isActive, unmet, log });
  const following = createFollowing(log);
  const isReady = (): boolean => snapshot.isReady && settings.isReady;
  const look = (): void => {
    if (isReady()) running.look();
  };
  const ready = Promise.all([snapshot.ready, settings.ready]).then(look);
  snapshot.onChange(look);
  settings.onChange(look);

  const turn = async (module: Module, on: boolean, behalf: Partial<Behalf>): Promise<boolean> => {
    const isTurned = await turned(store, { module, on, behalf, isOn, unmet });
    await snapshot.refresh();
    return isTurned;
  };
  return {
    modules,
    get isReady() {
      return isReady();
    },
    ready,
    isActive,
    isRunning(id) {
      store.readBefore(tables);
      return running.has(id);
    },
    async set(id, on, behalf) {
      const module = modules.get(id);
      await ready;
      if (!(await turn(module, on, behalf))) return;
      const by = behalf.caller.id;
      if (on) await following.activated(id, by, () => turn(module, false, {}));
      else await following.deactivated(id, by);
    },
    onChange: running.onChange,
    onSwitched: following.add,
  };
}

async function turnedIn(db: Reads<SwitchTables>): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db.selectFrom(table).selectAll().execute();
  return new Map(rows.map(({ id, is_on: isOn }) => [id, isOn === 1]));
}

interface Turning {
  readonly module: Module;
  readonly on: boolean;
  readonly behalf: Partial<Behalf>;
  readonly isOn: IsOn;
  readonly unmet: Unmet;
}

/** Whether that changed anything. */
const turned = ({ write }: Store<SwitchTables>, { module, on, behalf, isOn, unmet }: Turning): Promise<boolean> =>
  write(async (tx, during) => {
    const { id } = module;
    await during.lock('secsuite modules');
    await behalf.again?.(tx);
    const row = await tx.selectFrom(table).select('is_on').where('id', '=', id).executeTakeFirst();
    if (isOn(module, row && row.is_on === 1) === on) return false;
    refuse(module, on, unmet);
    await tx
      .insertInto(table)
      .values({ id, is_on: flag(on) })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ is_on: flag(on) }))
      .execute();
    return true;
  });

function refuse(module: Module, on: boolean, unmet: Unmet): void {
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

/** Only the process that turns a module on or off runs its hooks, so each runs once. */
interface Following {
  add(id: string, hooks: Hooks): void;
  /** What fails undoes it. */
  activated(id: string, by: number, undo: () => Promise<unknown>): Promise<void>;
  /** What fails is written down: nothing keeps a module on that somebody wants off. */
  deactivated(id: string, by: number): Promise<void>;
}

function createFollowing(log: Pick<Log, 'error'>): Following {
  const all = new Map<string, readonly Hooks[]>();
  const of = (id: string): readonly Hooks[] => all.get(id) ?? [];
  return {
    add: (id, hooks) => void all.set(id, [...of(id), hooks]),
    async activated(id, by, undo) {
      try {
        for (const { activated } of of(id)) await activated?.(by);
      } catch (error) {
        log.error({ err: error, module: id }, 'A module could not begin its work, and is switched off again.');
        await undo();
        throw new Problem(
          500,
          'secsuite-modules-cannot-activate-module-unsatisfied-dependencies',
          'This module could not begin its work, and is off again.',
          {},
          { cause: error },
        );
      }
    },
    async deactivated(id, by) {
      for (const { deactivated } of of(id))
        try {
          await deactivated?.(by);
        } catch (error) {
          log.error({ err: error, module: id }, 'What follows when a module is switched off has failed.');
        }
    },
  };
}

/** Which modules run, kept in memory. Read again when a setting or switch changes. */
interface Running {
  has(id: string): boolean;
  /** Reads them again, and reports what changed. */
  look(): void;
  readonly onChange: Switches['onChange'];
}

interface RunningDeps {
  readonly modules: ModuleList;
  isActive(id: string): boolean;
  readonly unmet: Unmet;
  readonly log: Pick<Log, 'error'>;
}

function createRunning({ modules, isActive, unmet, log }: RunningDeps): Running {
  const { tell, add } = createListeners<Parameters<Parameters<Switches['onChange']>[0]>>((error) =>
    log.error({ err: error }, 'Somebody who was told that modules started or stopped has failed.'),
  );
  let running: ReadonlySet<string> = new Set();
  return {
    has: (id) => running.has(id),
    look() {
      const before = running;
      const now = modules.all.filter((module) => isActive(module.id) && unmet(module, 'run').length === 0);
      running = new Set(now.map(({ id }) => id));
      const started = [...running].filter((id) => !before.has(id));
      const stopped = [...before].filter((id) => !running.has(id));
      if (started.length + stopped.length > 0) tell(started, stopped);
    },
    onChange: add,
  };
}
