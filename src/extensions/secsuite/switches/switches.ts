// Which modules are on. One runs while it is on and all that it requires is met.

import type { Transaction } from 'kysely';
import { isLoopback } from '#lib/ip-address.ts';
import { keysOf } from '#lib/objects.ts';
import { createSnapshot, renewDerived, type Snapshot } from '#site/platform/cache/snapshot.ts';
import { flag } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { type Behalf, createListeners } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { Module, Requirements } from '../module.ts';
import type { ModuleList } from '../settings/modules.ts';
import type { Settings } from '../settings/types.ts';
import type { ImportRun } from '../transfer.ts';
import { createFollowing, type Following, type Hooks } from './following.ts';
import type { SwitchTables } from './tables.ts';

export interface Switches {
  readonly modules: ModuleList;
  readonly isReady: boolean;
  /** Until then no module is on. */
  readonly ready: Promise<void>;
  /** Switched on. */
  isActive(id: string): boolean;
  /** Active, with all met that it needs to run. */
  isRunning(id: string): boolean;
  /** Returns once this process sees it and what follows from it is done. */
  set(id: string, on: boolean, behalf: Behalf): Promise<void>;
  /** The same within a write under way. What is answered, if that changed anything, is called once the write stands. */
  setWithin(
    writing: Pick<ImportRun, 'tx' | 'during' | 'behalf'>,
    id: string,
    on: boolean,
  ): Promise<(() => Promise<void>) | undefined>;
  /** Which modules are on, as a write under way sees it. */
  activeIn(db: Reads<SwitchTables>): Promise<(id: string) => boolean>;
  /** Called in every process, first with all that run when the site begins. Returns how to hear no more. */
  onChange(listener: (started: readonly string[], stopped: readonly string[]) => void): () => void;
  /** Done once for each switching, by the process that switched. */
  onSwitched(id: string, hooks: Hooks): void;
}

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
    failed: (error) => log.error({ err: error }, 'The list of active modules of the security suite could not be read.'),
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

  const turning = createTurning({ ...needs, snapshot, following, isOn, ready });
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
    ...turning,
    onChange: running.onChange,
    onSwitched: following.add,
  };
}

interface TurningDeps extends Pick<Needs, 'store' | 'modules' | 'unmet'> {
  readonly snapshot: Pick<Snapshot<unknown>, 'refresh'>;
  readonly following: Following;
  readonly isOn: IsOn;
  readonly ready: Promise<void>;
}

function createTurning(deps: TurningDeps): Pick<Switches, 'set' | 'setWithin' | 'activeIn'> {
  const { store, modules, unmet, snapshot, following, isOn, ready } = deps;
  const { write }: Store<SwitchTables> = store;
  const turn = async (module: Module, on: boolean, behalf: Partial<Behalf>): Promise<boolean> => {
    const isTurned = await write((tx, during) => turned(tx, during, { module, on, behalf, isOn, unmet }));
    await snapshot.refresh();
    return isTurned;
  };
  const follow = async (module: Module, on: boolean, by: number): Promise<void> => {
    if (on) await following.activated(module.id, by, () => turn(module, false, {}));
    else await following.deactivated(module.id, by);
  };
  return {
    async set(id, on, behalf) {
      const module = modules.get(id);
      await ready;
      if (await turn(module, on, behalf)) await follow(module, on, behalf.caller.id);
    },
    async setWithin({ tx, during, behalf: { caller } }, id, on) {
      const module = modules.get(id);
      if (!(await turned(tx, during, { module, on, behalf: {}, isOn, unmet }))) return undefined;
      return async () => {
        await snapshot.refresh();
        await follow(module, on, caller.id);
      };
    },
    async activeIn(db) {
      const rows = await turnedIn(db);
      return (id) => {
        const module = modules.find(id);
        return module !== undefined && isOn(module, rows.get(id));
      };
    },
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
async function turned(
  tx: Transaction<SwitchTables>,
  during: During,
  { module, on, behalf, isOn, unmet }: Turning,
): Promise<boolean> {
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
}

function refuse(module: Module, on: boolean, unmet: Unmet): void {
  if (module.standing === 'always-active') throw suiteErrors.alwaysActiveModule();
  const reasons = on ? unmet(module, 'activate') : [];
  if (reasons.length > 0) throw suiteErrors.unsatisfiedRequirements(reasons.join(' '));
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
    log.error({ err: error }, 'A listener for started and stopped modules failed.'),
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
      renewDerived();
      if (started.length + stopped.length > 0) tell(started, stopped);
    },
    onChange: add,
  };
}

type Kind = keyof Requirements;

/** Why it is not met, a sentence; nothing where it is. */
type Judge<K extends Kind> = (requirement: NonNullable<Requirements[K]>) => string | undefined;

/** Why the module cannot be switched on, or do its work: a sentence each. */
type Unmet = (module: Module, moment: 'activate' | 'run') => string[];

interface RequirementDeps {
  /** Where the site is reached. */
  readonly url: string;
  readonly settings: Pick<Settings, 'of'>;
}

export const isFlagOn = (settings: Pick<Settings, 'of'>, flag: string): boolean =>
  settings.of('feature-flags').enabled.some((one) => one === flag);

/** Whether it was chosen how the client's address is found. */
export const isAddressKnown = (settings: Pick<Settings, 'of'>): boolean => settings.of('global').proxy !== 'automatic';

export function createRequirements({ url, settings }: RequirementDeps): Unmet {
  const { protocol, hostname } = new URL(url);
  // Early loading, the runtime and the number of sites are as they must be wherever this runs.
  const judges: { readonly [K in Kind]?: Judge<K> } = {
    ssl: ({ validate }) =>
      protocol === 'https:' || (validate === 'run' && isLoopback(hostname)) ? undefined : 'The site must use HTTPS.',
    ip: () =>
      isAddressKnown(settings) ? undefined : 'Choose first how to find the IP addresses of visitors (global.proxy).',
    'feature-flags': ({ flags }) =>
      flags.every((flag) => isFlagOn(settings, flag))
        ? undefined
        : `These experiments must be turned on: ${flags.join(', ')}.`,
  };
  return ({ requirements = {} }, moment) =>
    keysOf(requirements)
      .filter((kind) => moment === 'activate' || requirements[kind]?.validate === 'run')
      .flatMap((kind) => (judges[kind] as Judge<never> | undefined)?.(requirements[kind] as never) ?? []);
}
