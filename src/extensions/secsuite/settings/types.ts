// Settings of modules, for the code that reads and changes them, and members of them by a path with dots: `maxmind_lite.key`.
import type { Problem } from '#kernel/problem.ts';
import type { AnyTables, Reads } from '#store/handles.ts';
import type { Behalf } from '../base.ts';
import type { ImportRun } from '../transfer.ts';

/** The settings of each module, by its id. The file that declares a module adds its own, as they follow from its schema. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add to it
export interface ModuleSettings {}

export type ModuleId = keyof ModuleSettings;

export type Values = Readonly<Record<string, unknown>>;

/** A save under way. Secrets are open in both. */
export interface Saving<T = Values> {
  readonly before: T;
  readonly after: T;
  readonly behalf: Behalf;
  /** What is looked up for it is read by this: it runs inside the write. */
  readonly db: Reads<AnyTables>;
}

/** What is wrong with it. */
type Check<T = Values> = (saving: Saving<T>) => readonly Problem[] | Promise<readonly Problem[]>;
/** What else changes with it. */
type Along<T = Values> = (before: T, after: T) => Partial<T>;
/** Asks others before anything is written, once all is checked: what changes by what they said. It may throw a Problem. */
type Ahead<T = Values> = (saving: Saving<T>) => Promise<Partial<T>>;
type Show<T = Values> = (values: T) => T;
/** What follows from it, secrets masked. */
type Effect<T = Values> = (before: T, after: T) => void | Promise<void>;

/** What becomes of settings: all of them, or some. */
type Change<T> = Partial<T> | ((before: T) => Partial<T>);

/** What lies over settings; a function is given what is kept at that moment. */
type Overlay = Values | ((before: Values) => Values);

/** What a write under way sees of groups and modules, where it changes them as well. */
export interface WriteView {
  isGroup(id: string): boolean;
  isActive(id: string): boolean;
}

export interface Settings {
  readonly isReady: boolean;
  /** Once they were read for the first time; until then they cannot be asked for. */
  readonly ready: Promise<void>;
  /** All of a module, with defaults, frozen; a secret that is set shows as `mask`. */
  of<K extends ModuleId>(id: K): ModuleSettings[K];
  /** A secret, opened; `''` where none is set. A path with dots names a member. */
  secret(id: string, path: string): string;
  /** As `of`, for a module that a request names: refuses what is no module, or has no settings. */
  shown(id: string): Values;
  /** Puts these in the place of all settings of the module, and answers them as they are then. */
  replace(id: string, sent: Values, behalf: Behalf): Promise<Values>;
  /** Lays these over them: by a function, two changes at once lose nothing. */
  overlay(id: string, sent: Overlay, behalf: Behalf): Promise<Values>;
  /** The same of several modules that nobody outside is asked for: all of it or nothing. */
  overlayAll(sent: ReadonlyMap<string, Overlay>, behalf: Behalf): Promise<void>;
  /**
   * Puts what is made of the settings that are kept in their place, within a write under way: nobody elsewhere is asked. What is
   * answered is called once the write stands.
   */
  replaceWithin(
    writing: Pick<ImportRun, 'tx' | 'during'>,
    id: string,
    sent: (before: Values, defaults: Values) => Values,
    within: { readonly behalf: Behalf } & WriteView,
  ): Promise<() => Promise<void>>;
  /** As they are kept, with secrets masked and without what `shows` adds. */
  kept(id: string): Values;
  /** Sets the defaults again, but for what the suite keeps itself and what lasts. */
  reset(id: string, behalf: Behalf): Promise<Values>;
  /** What the suite writes of itself, by what it finds there. Nobody is asked, nothing is checked but the schema. */
  keep<K extends ModuleId>(id: K, change: Change<ModuleSettings[K]>): Promise<ModuleSettings[K]>;
  /** The same for a module that stands in a list. */
  keepValues(id: string, change: Change<Values>): Promise<Values>;
  /** Says of each save what is wrong with it; all that is wrong is answered together. */
  check<K extends ModuleId>(id: K, check: Check<ModuleSettings[K]>): void;
  /** Says what else changes with a save that is checked. */
  along<K extends ModuleId>(id: K, along: Along<ModuleSettings[K]>): void;
  /** Asks elsewhere before a save, once it is checked. */
  ahead<K extends ModuleId>(id: K, ahead: Ahead<ModuleSettings[K]>): void;
  /** Done once for each change, by the process that wrote it, after everybody here sees it. */
  effect<K extends ModuleId>(id: K, effect: Effect<ModuleSettings[K]>): void;
  /** How they read where more is shown than is kept; without secrets, for those are masked by then. Quick: it is asked each time. */
  shows<K extends ModuleId>(id: K, show: Show<ModuleSettings[K]>): void;
  /** Called in every process, once it sees the change. Returns how to hear no more. */
  onChange(listener: (id: string, before: Values, after: Values) => void): () => void;
}

export type { Ahead, Along, Check, Effect, Overlay, Show };

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function at(values: unknown, path: string): unknown {
  let here = values;
  for (const name of path.split('.')) {
    if (!isMap(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return here;
}

/** The same with that in its place; as it was, where the way there is not. */
export function putAt<T extends Readonly<Record<string, unknown>>>(values: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...values, [name]: value };
  const inner = Object.hasOwn(values, name) ? values[name] : undefined;
  return isMap(inner) ? { ...values, [name]: putAt(inner, rest.join('.'), value) } : values;
}
