// One request being looked at: what was found of it so far, and how long it may take.
import type { Subject } from './subject.ts';
import type { View } from './view.ts';

/** Who asks. */
export interface User {
  can(capability: string): boolean;
  readonly roles: readonly string[];
}

export interface Run {
  readonly view: View;
  readonly isLate: boolean;
  /** Nobody, where nobody is known. */
  readonly user: User | undefined;
  /** What was looked up, by the place of its slot. */
  readonly values: (readonly Subject[] | undefined)[];
  /** Whether of a value only the ends were looked at, or nothing. */
  tooLong: boolean;
  /** How much may be done until somebody looks at the clock. */
  fuel: number;
  readonly until: number;
  readonly now: () => number;
}

/** What a request that takes too long is stopped with. */
export const overBudget = Symbol('over budget');

const glance = 64;

export const startRun = (run: Omit<Run, 'values' | 'tooLong' | 'fuel'>, slots: number): Run => ({
  ...run,
  values: new Array(slots),
  tooLong: false,
  fuel: glance,
});

/** Work is done: about a microsecond a unit, at most. */
export function spend(run: Run, units: number): void {
  run.fuel -= units;
  if (run.fuel >= 0) return;
  run.fuel = glance;
  if (run.now() > run.until) throw overBudget;
}
