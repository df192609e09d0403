// The rules of the firewall, compiled once, and what becomes of a request that they are held against.
import { Problem } from '#kernel/problem.ts';
import { createPlan, type Needs, type Plan, passOf } from './needs.ts';
import { compilePattern } from './patterns.ts';
import type { Rule } from './rule.ts';
import { endRun, leftOf, overBudget, type Pass, type Run, startRun, type User } from './run.ts';
import type { Ready } from './triggers.ts';
import type { View } from './view.ts';

/** A rule that a request matched, and what comes of it: of what is refused to others, nothing for those who are trusted. */
export interface Hit {
  readonly rule: string;
  readonly type: string;
  readonly effect: 'refuses' | 'redirects' | 'nothing';
}

export type Ended =
  | { readonly how: 'through' | 'overBudget' }
  | { readonly how: 'allowed' | 'blocked'; readonly rule: string }
  | { readonly how: 'redirected'; readonly rule: string; readonly to: string }
  /** What came could not be read. */
  | { readonly how: 'unreadable'; readonly problem: Problem };

export interface Outcome {
  /** In order, without those that let pass. */
  readonly hits: readonly Hit[];
  readonly ended: Ended;
  /** Whether of a value only the ends were inspected, because it is too long. */
  readonly tooLong: boolean;
  /** How much work may still be done for the request, in milliseconds; nothing where there was hardly any. */
  readonly left?: number | undefined;
}

export interface RunOptions {
  readonly trusted: boolean;
  /** Nobody, where nobody is known. */
  readonly user?: User | undefined;
  /** In milliseconds. */
  readonly budget?: number;
}

export interface Engine {
  run(pass: Pass, view: View, options: RunOptions): Outcome;
  readonly needs: Readonly<Record<Pass, Needs>>;
  /** How many rules each pass has. */
  readonly sizes: Readonly<Record<Pass, number>>;
}

/** Rules come and go one by one: nothing that was made for a rule outlives it, and the others stay as they were made. */
export interface RuleSet extends Engine {
  /** In place of the one that has this place, if there is one. Rules are asked in the order of their places. */
  keep(place: number, rule: Rule): void;
  drop(place: number): void;
}

interface EngineNeeds {
  /** In milliseconds. */
  readonly now: () => number;
  /** What this thread has worked so far, in milliseconds: the budget is of work, and not of waiting for a busy machine. */
  readonly worked: () => number;
  /** A rule that fails matches nothing; of each this is told once in an hour. */
  readonly report: (rule: string, error: unknown) => void;
}

/** For `worked`. */
export function workOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const standardBudget = 50;
const quiet = 60 * 60 * 1000;

/** Rules with faults belong left out; in here they match nothing. */
export function createRuleSet({ now, worked, report }: EngineNeeds): RuleSet {
  const kit = { pattern: (written: unknown) => compilePattern(written).pattern };
  const plans: Readonly<Record<Pass, Plan>> = {
    early: createPlan(kit),
    late: createPlan(kit),
    write: createPlan(kit),
  };
  const removers = new Map<number, () => void>();
  const reported = new Map<string, number>();
  const failed = (rule: string, error: unknown): void => {
    const last = reported.get(rule);
    if (last !== undefined && now() - last < quiet) return;
    reported.set(rule, now());
    report(rule, error);
  };
  const drop = (place: number): void => {
    removers.get(place)?.();
    removers.delete(place);
  };
  return {
    needs: ofEach((pass) => plans[pass].needs),
    sizes: ofEach((pass) => plans[pass].size),
    keep(place, rule) {
      drop(place);
      const remove = plans[passOf(rule)].add(place, rule);
      removers.set(place, () => {
        remove();
        reported.delete(rule.id);
      });
    },
    drop,
    run(pass, view, { trusted, user, budget = standardBudget }) {
      const plan = plans[pass];
      if (plan.size === 0) return nothing;
      const run = startRun({ view, pass, user, worked, budget });
      try {
        return outcomeOf(plan, run, trusted, failed);
      } finally {
        endRun(run);
      }
    },
  };
}

/** As they are at each moment. */
const ofEach = <V>(of: (pass: Pass) => V): Readonly<Record<Pass, V>> => ({
  get early() {
    return of('early');
  },
  get late() {
    return of('late');
  },
  get write() {
    return of('write');
  },
});

/** Rules in the order they are held against a request. */
export function compileRules(rules: readonly Rule[], needs: EngineNeeds): RuleSet {
  const set = createRuleSet(needs);
  for (const [place, rule] of rules.entries()) set.keep(place, rule);
  return set;
}

const through: Ended = { how: 'through' };
const none: readonly Hit[] = Object.freeze([]);
const nothing: Outcome = Object.freeze({ hits: none, ended: through, tooLong: false });

type Failed = (rule: string, error: unknown) => void;

function outcomeOf(plan: Plan, run: Run, trusted: boolean, failed: Failed): Outcome {
  const hits: Hit[] = [];
  const ended = endOf(() => held(plan, run, trusted, hits, failed), trusted);
  const left = leftOf(run);
  if (ended === through && hits.length === 0 && !run.tooLong && left === undefined) return nothing;
  return { hits, ended, tooLong: run.tooLong, left };
}

/** Nothing refuses those who are trusted. */
function endOf(hold: () => Ended, trusted: boolean): Ended {
  try {
    return hold();
  } catch (error) {
    if (error !== overBudget && !(error instanceof Problem)) throw error;
    if (trusted) return through;
    return error === overBudget ? { how: 'overBudget' } : { how: 'unreadable', problem: error as Problem };
  }
}

function held({ triggers }: Plan, run: Run, trusted: boolean, hits: Hit[], failed: Failed): Ended {
  for (const rule of triggers.awake(run)) {
    if ((trusted && rule.sparesTrusted) || !matches(triggers, rule, run, failed)) continue;
    if (rule.type === 'WHITELIST') return { how: 'allowed', rule: rule.id };
    const hit = hitOf(rule, trusted);
    if (hit === undefined) continue;
    hits.push(hit);
    if (hit.effect === 'refuses') return { how: 'blocked', rule: rule.id };
    if (hit.effect === 'redirects') return { how: 'redirected', rule: rule.id, to: rule.to! };
  }
  return through;
}

function matches(triggers: Plan['triggers'], rule: Ready, run: Run, failed: Failed): boolean {
  try {
    return triggers.holds(rule, run);
  } catch (error) {
    if (error === overBudget || error instanceof Problem) throw error;
    failed(rule.id, error);
    return false;
  }
}

/** Rules of a kind that nobody knows do nothing. */
function hitOf({ id: rule, type, to }: Ready, trusted: boolean): Hit | undefined {
  if (type === 'BLOCK') return { rule, type, effect: trusted ? 'nothing' : 'refuses' };
  if (type === 'LOG') return { rule, type, effect: 'nothing' };
  return type === 'REDIRECT' ? { rule, type, effect: to === undefined ? 'nothing' : 'redirects' } : undefined;
}
