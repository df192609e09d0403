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
  /** What was looked up, by the place of its slot; nothing where nothing is. */
  readonly values: (readonly Subject[] | undefined)[];
  /** Where in there something is. */
  readonly found: number[];
  /** Whether of a value only the ends were looked at, or nothing. */
  tooLong: boolean;
  /** How much may be done until somebody looks at what it took. */
  fuel: number;
  /** In milliseconds of work; when it is up is known once somebody looked. */
  readonly budget: number;
  until: number | undefined;
  readonly worked: () => number;
}

/** What is there, and was not looked up yet. */
export const pending: readonly Subject[] = [];

/** What a request that takes too long is stopped with. */
export const overBudget = Symbol('over budget');

const glance = 128;

type Start = Pick<Run, 'view' | 'isLate' | 'user' | 'values' | 'budget' | 'worked'>;

/** A longer body takes a moment to be read, which counts. */
const large = 16 * 1024;

export function startRun({ view, isLate, user, values, budget, worked }: Start): Run {
  const isLarge = (view.asked.rawBody?.length ?? 0) > large;
  return {
    view,
    isLate,
    user,
    values,
    found: [],
    budget,
    worked,
    tooLong: false,
    fuel: isLarge ? 0 : glance,
    until: isLarge ? worked() + budget : undefined,
  };
}

/** Work is done: about a microsecond a unit, at most. */
export function spend(run: Run, units: number): void {
  run.fuel -= units;
  if (run.fuel < 0) look(run);
}

/** For looking through a text; a few words cost nothing to speak of. */
export function spendOn(run: Run, { length }: string): void {
  if (length > 4096) spend(run, length >> 12);
}

/** What may still be done for this request, in milliseconds; nothing where nobody has looked yet. */
export const leftOf = ({ until, worked }: Run): number | undefined =>
  until === undefined ? undefined : Math.max(0, until - worked());

/** Most requests are through before anybody looks. */
function look(run: Run): void {
  run.fuel = glance;
  const worked = run.worked();
  run.until ??= worked + run.budget;
  if (worked > run.until) throw overBudget;
}

/** Nothing of a request is kept for the next one. */
export function endRun({ values, found }: Run): void {
  for (const at of found) values[at] = undefined;
}
