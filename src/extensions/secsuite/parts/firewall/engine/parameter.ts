// How a condition says where it looks: `source`, `source.key.key`, with `*` for all children and `prefix*` for some.
import { repeatedValues } from '#kernel/args/query.ts';
import { isContainer } from './subject.ts';

export const sources = ['get', 'post', 'request', 'cookie', 'files', 'server', 'raw', 'all', 'rest', 'write'] as const;
export type SourceName = (typeof sources)[number];

/** Steps from a map down; the last may be the beginning of a name. */
export interface Path {
  readonly steps: readonly string[];
  readonly isWild: boolean;
}

export interface Parameter extends Path {
  readonly source: SourceName;
}

/** Nothing for what can never be found. */
export function parameterOf(written: string): Parameter | undefined {
  const [source = '', ...steps] = written.split('.');
  const known = sources.find((name) => name === source);
  return known && { source: known, ...pathOf(steps) };
}

export const pathOf = (steps: readonly string[]): Path => ({ steps, isWild: steps.some(isWildAt) });

/** Within a value: a key of digits alone finds nothing, and one with `*` in it says the value itself first. */
export function keyPath(written: string): Path | undefined {
  if (/^\d*$/.test(written)) return undefined;
  const path = pathOf(written.split('.'));
  return path.isWild && path.steps.length > 1 ? pathOf(path.steps.slice(1)) : path;
}

function isWildAt(step: string, at: number, steps: readonly string[]): boolean {
  return step === '*' || (at === steps.length - 1 && step.endsWith('*'));
}

/** What is found there; nothing is found of what is null or missing. */
export function lookUp(root: unknown, { steps, isWild }: Path): readonly unknown[] {
  if (!isWild) return lookStraight(root, steps);
  let found: unknown[] = [root];
  let parents: unknown[] = [];
  steps.forEach((step, at) => {
    parents = found;
    found = isWildAt(step, at, steps) ? found.flatMap((one) => children(one, step.slice(0, -1))) : walked(found, step);
  });
  const values = found.flatMap((one) => (isContainer(one) ? children(one, '') : [one]));
  return [...values, ...parents.flatMap((parent) => replacedValues(parent, steps.at(-1)))];
}

const nowhere: readonly unknown[] = [];

function lookStraight(root: unknown, steps: readonly string[]): readonly unknown[] {
  let parent: unknown;
  let found = root;
  for (const step of steps) {
    parent = found;
    found = child(found, step);
    if (found === undefined) return nowhere;
  }
  return found === undefined || found === null ? nowhere : [found, ...replacedValues(parent, steps.at(-1))];
}

/** A list reads every value of a name that was sent several times, so rules do too. */
function replacedValues(parent: unknown, step: string | undefined): readonly string[] {
  if (step === undefined || !isContainer(parent)) return [];
  const isAsked = (name: string): boolean =>
    name === step || (step.endsWith('*') && name.startsWith(step.slice(0, -1)));
  return repeatedValues(parent).flatMap(([name, text]) => (isAsked(name) ? [text] : []));
}

const walked = (found: readonly unknown[], step: string): unknown[] =>
  found.map((one) => child(one, step)).filter((one) => one !== undefined);

function child(of: unknown, name: string): unknown {
  if (!isContainer(of) || !Object.hasOwn(of, name) || (Array.isArray(of) && name === 'length')) return undefined;
  return (of as Record<string, unknown>)[name] ?? undefined;
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

function children(of: unknown, prefix: string): unknown[] {
  if (!isContainer(of)) return [];
  return Object.entries(of).flatMap(([name, one]) => (isNothing(one) || !name.startsWith(prefix) ? [] : [one]));
}
