// The rules of the firewall, compiled once, and what becomes of a request that they are held against.
import { Problem } from '#kernel/problem.ts';
import { isLate, type Needs } from './needs.ts';
import { compilePattern, type Pattern } from './patterns.ts';
import { type Plan, planOf, type Ready } from './plan.ts';
import type { Rule } from './rule.ts';
import { endRun, leftOf, overBudget, type Run, startRun, type User } from './run.ts';
import type { View } from './view.ts';

/** Before it is known who asks, and after. */
export type Pass = 'early' | 'late';

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
  /** As they were compiled; the next engine takes over those it knows. */
  readonly patterns: ReadonlyMap<unknown, Pattern | undefined>;
  /** When a rule that failed was told of last; so does it know. */
  readonly reported: Map<string, number>;
}

interface EngineNeeds {
  /** In milliseconds. */
  readonly now: () => number;
  /** What this thread has worked so far, in milliseconds: the budget is of work, and not of waiting for a busy machine. */
  readonly worked: () => number;
  /** A rule that fails matches nothing; of each this is told once in an hour. */
  readonly report: (rule: string, error: unknown) => void;
  /** The one before this. */
  readonly before?: Engine | undefined;
}

/** For `worked`. */
export function workOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const standardBudget = 50;
const quiet = 60 * 60 * 1000;

/** Rules in the order they are held against a request. Those with faults belong left out; in here they match nothing. */
export function compileRules(rules: readonly Rule[], { now, worked, report, before }: EngineNeeds): Engine {
  const patterns = new Map<unknown, Pattern | undefined>();
  const pattern = (written: unknown): Pattern | undefined => {
    const known = patterns.has(written)
      ? patterns.get(written)
      : (before?.patterns.get(written) ?? compilePattern(written).pattern);
    patterns.set(written, known);
    return known;
  };
  const plans: Record<Pass, Plan> = {
    early: planOf(
      rules.filter((rule) => !isLate(rule)),
      { pattern },
    ),
    late: planOf(rules.filter(isLate), { pattern }),
  };
  const reported = before?.reported ?? new Map<string, number>();
  const failed = (rule: string, error: unknown): void => {
    const last = reported.get(rule);
    if (last !== undefined && now() - last < quiet) return;
    reported.set(rule, now());
    report(rule, error);
  };
  return {
    ...{ patterns, reported },
    needs: { early: plans.early.needs, late: plans.late.needs },
    sizes: { early: plans.early.rules.length, late: plans.late.rules.length },
    run(pass, view, { trusted, user, budget = standardBudget }) {
      const plan = plans[pass];
      if (plan.rules.length === 0) return nothing;
      const run = startRun({ view, isLate: pass === 'late', user, values: plan.values, worked, budget });
      try {
        return outcomeOf(plan, run, trusted, failed);
      } finally {
        endRun(run);
      }
    },
  };
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

function held(plan: Plan, run: Run, trusted: boolean, hits: Hit[], failed: Failed): Ended {
  const { rules, triggers } = plan;
  const turn = triggers.mark(run);
  for (let at = 0; at < rules.length; at++) {
    if (triggers.marks[at] !== turn) continue;
    const rule = rules[at]!;
    if ((trusted && rule.sparesTrusted) || !matches(plan, at, run, failed)) continue;
    if (rule.type === 'WHITELIST') return { how: 'allowed', rule: rule.id };
    const hit = hitOf(rule, trusted);
    if (hit === undefined) continue;
    hits.push(hit);
    if (hit.effect === 'refuses') return { how: 'blocked', rule: rule.id };
    if (hit.effect === 'redirects') return { how: 'redirected', rule: rule.id, to: rule.to! };
  }
  return through;
}

function matches({ rules, triggers }: Plan, at: number, run: Run, failed: Failed): boolean {
  try {
    return triggers.holds(at, run);
  } catch (error) {
    if (error === overBudget || error instanceof Problem) throw error;
    failed(rules[at]!.id, error);
    return false;
  }
}

/** Rules of a kind that nobody knows do nothing. */
function hitOf({ id: rule, type, to }: Ready, trusted: boolean): Hit | undefined {
  if (type === 'BLOCK') return { rule, type, effect: trusted ? 'nothing' : 'refuses' };
  if (type === 'LOG') return { rule, type, effect: 'nothing' };
  return type === 'REDIRECT' ? { rule, type, effect: to === undefined ? 'nothing' : 'redirects' } : undefined;
}
