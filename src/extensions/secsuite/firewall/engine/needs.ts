// What rules look at, so that nobody reads what no rule asks for, and which of them must wait until it is known who asks.
import { parameterOf, type SourceName } from './parameter.ts';
import { type Condition, type Match, most, type Rule } from './rule.ts';

export interface Needs {
  readonly form: boolean;
  readonly raw: boolean;
  readonly files: boolean;
  /** What is in the files. */
  readonly contents: boolean;
  readonly rest: boolean;
}

export function needsOf(rules: readonly Rule[]): Needs {
  const sources = new Set<SourceName>();
  let contents = false;
  for (const condition of conditionsIn(rules)) {
    for (const said of [condition.parameter].flat()) {
      const source = typeof said === 'string' ? parameterOf(said)?.source : undefined;
      if (source !== undefined) sources.add(source);
    }
    contents ||= matchesIn(condition.match).some(({ type }) => type === 'file_contains');
  }
  const has = (...some: SourceName[]): boolean => some.some((source) => sources.has(source));
  return {
    form: has('post', 'request', 'all'),
    raw: has('raw', 'all'),
    files: has('files'),
    contents: contents && has('files'),
    rest: has('rest'),
  };
}

/** Whether a rule asks who somebody is, or what of the interface they ask for. */
export const isLate = (rule: Rule): boolean =>
  needsOf([rule]).rest ||
  conditionsIn([rule]).some(({ match }) => matchesIn(match).some(({ type }) => type === 'current_user_cannot'));

/** Those within others too, as deep as they count. */
function conditionsIn(rules: readonly Rule[]): Condition[] {
  let level = rules.flatMap(({ rules: some }) => listed(some));
  const all = level;
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
