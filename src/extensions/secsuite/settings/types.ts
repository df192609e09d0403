// What the settings of the modules are to whoever reads and changes them.
import type { Problem } from '#kernel/problem.ts';
import type { AnyTables } from '#store/any.ts';
import type { Reads } from '#store/handles.ts';
import type { Behalf } from '../behalf.ts';

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
type Check = (saving: Saving) => readonly Problem[] | Promise<readonly Problem[]>;
/** What else changes with it. */
type Along = (before: Values, after: Values) => Values;
/** Asks others before anything is written, once all is checked: what changes by what they said. It may throw a Problem. */
type Ahead = (saving: Saving) => Promise<Values>;
type Show = (values: Values) => Values;
/** What follows from it, secrets masked. */
type Effect = (before: Values, after: Values) => void | Promise<void>;

/** What lies over settings; a function is given what is kept at that moment. */
type Overlay = Values | ((before: Values) => Values);

export interface Settings {
  readonly isReady: boolean;
  /** Once they were read for the first time; until then they cannot be asked for. */
  readonly ready: Promise<void>;
  /** All of a module, with defaults, frozen; a secret that is set shows as `mask`. */
  of<T = Values>(id: string): T;
  /** A secret, opened; `''` where none is set. A path with dots names a member. */
  secret(id: string, path: string): string;
  /** As `of`, for whoever names the module from outside: refuses what is no module, or has no settings. */
  shown(id: string): Values;
  /** Puts these in the place of all settings of the module, and answers them as they are then. */
  replace(id: string, sent: Values, behalf: Behalf): Promise<Values>;
  /** Lays these over them: by a function, two changes at once lose nothing. */
  overlay(id: string, sent: Overlay, behalf: Behalf): Promise<Values>;
  /** The same of several modules that nobody outside is asked for: all of it or nothing. */
  overlayAll(sent: ReadonlyMap<string, Overlay>, behalf: Behalf): Promise<void>;
  /** Sets the defaults again, but for what the suite keeps itself and what lasts. */
  reset(id: string, behalf: Behalf): Promise<Values>;
  /** What the suite writes of itself, by what it finds there. Nobody is asked, nothing is checked but the schema. */
  keep(id: string, change: Values | ((before: Values) => Values)): Promise<Values>;
  /** Says of each save what is wrong with it; all that is wrong is answered together. */
  check(id: string, check: Check): void;
  /** Says what else changes with a save that is checked. */
  along(id: string, along: Along): void;
  /** Asks elsewhere before a save, once it is checked. */
  ahead(id: string, ahead: Ahead): void;
  /** Done once for each change, by the process that wrote it, after everybody here sees it. */
  effect(id: string, effect: Effect): void;
  /** How they read where more is shown than is kept; without secrets, for those are masked by then. Quick: it is asked each time. */
  shows(id: string, show: Show): void;
  /** Called in every process, once it sees the change. Returns how to hear no more. */
  onChange(listener: (id: string, before: Values, after: Values) => void): () => void;
}

export type { Ahead, Along, Check, Effect, Overlay, Show };
