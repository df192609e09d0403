import type { Asker } from './schema.ts';

/** Who asks. `id` 0 is nobody, and nobody can do nothing: there is no internal caller that may do everything. */
export interface Caller extends Asker {
  readonly id: number;
  can(capability: string): boolean;
  /** What their roles are called, for messages alone: rights are asked for with `can`. */
  readonly roles?: readonly string[];
  /** What let them in. Only whoever gave it out knows what it is. */
  readonly credential?: unknown;
  /** Sent with every answer they get. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const nobody: Caller = Object.freeze({ id: 0, can: () => false });

export const isNobody = (caller: Caller): boolean => caller.id === 0;
