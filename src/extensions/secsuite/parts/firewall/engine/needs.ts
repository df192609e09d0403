// What rules look at, so that nobody reads what no rule asks for, and which of them must wait until it is known who asks.
// The rules of one pass are made ready for many requests; a rule comes or goes without the others being made again.
import { keysOf } from '#lib/objects.ts';
import { createSlots, type List, listOf } from './conditions.ts';
import type { Kit } from './matching.ts';
import { parameterOf, type SourceName } from './parameter.ts';
import { type Condition, type Match, most, type Rule } from './rule.ts';
import type { Pass } from './run.ts';
import { createTriggers, type Ready, type Triggers } from './triggers.ts';

export interface Needs {
  readonly form: boolean;
  readonly raw: boolean;
  readonly files: boolean;
  /** What is in the files. */
  readonly contents: boolean;
  readonly rest: boolean;
}

export function needsOf(rule: Rule): Needs {
  const sources = sourcesIn(rule);
  const has = (...some: SourceName[]): boolean => some.some((source) => sources.has(source));
  const looksInside = conditionsIn(rule).some(({ match }) =>
    matchesIn(match).some(({ type }) => type === 'file_contains'),
  );
  return {
    form: has('post', 'request', 'all'),
    raw: has('raw', 'all'),
    files: has('files'),
    contents: looksInside && has('files'),
    rest: has('rest'),
  };
}

function sourcesIn(rule: Rule): ReadonlySet<SourceName> {
  const said = conditionsIn(rule).flatMap(({ parameter }) => [parameter].flat());
  return new Set(said.flatMap((one) => (typeof one === 'string' ? (parameterOf(one)?.source ?? []) : [])));
}

/** What rules need together, as they come and go. */
export function countedNeeds() {
  const none: Needs = { form: false, raw: false, files: false, contents: false, rest: false };
  const names = keysOf(none);
  const counts = new Map(names.map((name) => [name, 0]));
  let now = none;
  return {
    get now(): Needs {
      return now;
    },
    add(some: Needs, times: 1 | -1): void {
      for (const name of names) counts.set(name, counts.get(name)! + (some[name] ? times : 0));
      now = Object.fromEntries(names.map((name) => [name, counts.get(name)! > 0])) as never as Needs;
    },
  };
}

/** When a rule is asked: it may be about what is written, or about who somebody is and what of the interface they ask for. */
export function passOf(rule: Rule): Pass {
  const sources = sourcesIn(rule);
  if (sources.has('write')) return 'write';
  const isPersonal = conditionsIn(rule).some(({ match }) =>
    matchesIn(match).some(({ type }) => type === 'current_user_cannot'),
  );
  return isPersonal || sources.has('rest') ? 'late' : 'early';
}

/** Those within others too, as deep as they count. */
function conditionsIn(rule: Rule): Condition[] {
  let level = listed(rule.rules);
  const all = [...level];
  for (let depth = 1; depth < most.levels && level.length > 0; depth++) {
    level = level.flatMap(({ rules: some }) => listed(some));
    all.push(...level);
  }
  return all;
}

const listed = (some: unknown): Condition[] =>
  Array.isArray(some) ? some.filter((one) => typeof one === 'object' && one !== null) : [];

function matchesIn(match: Match | undefined): Match[] {
  const all: Match[] = [];
  for (let one = match; typeof one === 'object' && one !== null && all.length < most.levels; one = one.match)
    all.push(one);
  return all;
}

export interface Plan {
  readonly size: number;
  readonly triggers: Pick<Triggers, 'awake' | 'holds'>;
  readonly needs: Needs;
  /** Returns how to take it away again, and all that was made for it. */
  add(place: number, rule: Rule): () => void;
}

export function createPlan(kit: Kit): Plan {
  const triggers = createTriggers();
  const slots = createSlots(triggers);
  const needs = countedNeeds();
  let size = 0;
  return {
    get size() {
      return size;
    },
    triggers,
    get needs() {
      return needs.now;
    },
    add(place, rule) {
      const { slot, release } = slots.holder();
      const forget = triggers.add(readyOf(place, rule, listOf(conditionsOf(rule.rules), { ...kit, slot })));
      const needed = needsOf(rule);
      needs.add(needed, 1);
      size += 1;
      return () => {
        forget();
        release();
        needs.add(needed, -1);
        size -= 1;
      };
    },
  };
}

const readyOf = (place: number, rule: Rule, list: List): Ready => ({
  id: rule.id,
  type: rule.type,
  list,
  place,
  asked: [],
  turn: 0,
  to: rule.type === 'REDIRECT' ? placeOf(rule.type_params) : undefined,
  sparesTrusted: rule.bypass_whitelist === false || rule.bypass_whitelist === 0,
});

const conditionsOf = (rules: unknown): readonly Condition[] => (Array.isArray(rules) ? rules : []);

/** An absolute address of the web, as it may stand in a header. */
export function placeOf(written: unknown): string | undefined {
  const url = typeof written === 'string' ? URL.parse(written) : null;
  if (url === null || !/^https?:\/\//i.test(written as string)) return undefined;
  return /^[\x21-\x7e]+$/.test(written as string) ? (written as string) : url.href;
}
