// Which modules are on, to whoever asks and switches.
import type { Behalf } from '../behalf.ts';
import type { ModuleList } from '../settings/modules.ts';

interface Hooks {
  /** What it throws keeps the module off. */
  activated?(by: number): void | Promise<void>;
  deactivated?(by: number): void | Promise<void>;
}

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
  /** Called in every process, first with all that run when the site begins. Returns how to hear no more. */
  onChange(listener: (started: readonly string[], stopped: readonly string[]) => void): () => void;
  /** Done once for each switching, by the process that switched. */
  onSwitched(id: string, hooks: Hooks): void;
}

export type { Hooks };
