// One request being looked at: what was found of it so far, and how long it may take.
import type { Subject } from './subject.ts';
import type { View } from './view.ts';

/** Who asks. */
export interface User {
  can(capability: string): boolean;
  readonly roles: readonly string[];
}

/** Where something of the request is looked up, once for all conditions that look there. */
export interface Place {
  /** Of the request that is looked at; nothing where nothing is. */
  found: readonly Subject[] | undefined;
}

export interface Run {
  readonly view: View;
  readonly pass: Pass;
  /** Nobody, where nobody is known. */
  readonly user: User | undefined;
  /** Where something is. */
  readonly places: Place[];
  /** Whether of a value only the ends were looked at, or nothing. */
  tooLong: boolean;
  /** How much may be done until somebody looks at what it took. */
  fuel: number;
  /** In milliseconds of work; when it is up is known once somebody looked. */
  readonly budget: number;
  until: number | undefined;
  readonly worked: () => number;
}

/** Before it is known who asks, after, and each time something is written for the request. */
export const passes = ['early', 'late', 'write'] as const;
export type Pass = (typeof passes)[number];

/** What is there, and was not looked up yet. */
export const pending: readonly Subject[] = [];

/** What a request that takes too long is stopped with. */
export const overBudget = Symbol('over budget');

const glance = 128;

type Start = Pick<Run, 'view' | 'pass' | 'user' | 'budget' | 'worked'>;

/** A longer body takes a moment to be read, which counts. */
const large = 16 * 1024;

export function startRun({ view, pass, user, budget, worked }: Start): Run {
  const isLarge = (view.asked.rawBody?.length ?? 0) > large;
  return {
    view,
    pass,
    user,
    places: [],
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
export function endRun({ places }: Run): void {
  for (const place of places) place.found = undefined;
}
