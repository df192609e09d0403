// What a tool is: its card in the module it belongs to, and what it does.
import type { Caller } from '#kernel/caller.ts';
import type { SettingsSchema, ToolCard } from '../module.ts';

/** What came of a run. */
export interface Ran {
  /** Nothing: it has nothing to tell but what its messages say. */
  readonly data?: unknown;
  readonly success?: readonly string[];
  readonly info?: readonly string[];
  readonly warning?: readonly string[];
}

export interface Run {
  readonly form: Readonly<Record<string, unknown>>;
  /** Nobody, where it is run by its schedule. */
  readonly caller: Caller | undefined;
}

/** What a tool does. A `Problem` says why it could not. */
export interface Doing {
  /** Whether it can be run just now; without it, always. */
  isAvailable?(): boolean | Promise<boolean>;
  run(run: Run): Ran | Promise<Ran>;
}

export interface Tool {
  readonly slug: string;
  readonly module: string;
  readonly title: string;
  readonly description: string;
  readonly help: string;
  readonly keywords: readonly string[];
  readonly available: boolean;
  readonly condition: ToolCard['condition'];
  readonly schedule: string;
  readonly form: SettingsSchema | undefined;
}
