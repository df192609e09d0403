// What rules look at, so that nobody reads what no rule asks for, and which of them must wait until it is known who asks.
import { parameterOf, type SourceName } from './parameter.ts';
import { type Condition, type Match, most, type Rule } from './rule.ts';
import type { Pass } from './run.ts';

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
  const names = Object.keys(none) as (keyof Needs)[];
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
