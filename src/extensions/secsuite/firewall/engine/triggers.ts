// What a request can concern at all: a rule is looked at only if something it asks about is there, and so is a value.
import type { List, Slot, Test } from './conditions.ts';
import type { Reader } from './environment.ts';
import type { SourceName } from './parameter.ts';
import { pending, type Run } from './run.ts';
import type { View } from './view.ts';

export interface Triggers {
  /** Tells what is there and is to be looked up; marks the places of the rules with a number that no request before had. */
  mark(run: Run): number;
  readonly marks: Int32Array;
}

/** What waits for a name below a source, or for the source as a whole: places of slots and of rules. */
interface Waiting {
  readonly read: Reader | undefined;
  readonly slots: number[];
  readonly rules: number[];
}

interface Index {
  readonly whole: Waiting;
  readonly named: Map<string, Waiting>;
}

export function createTriggers(lists: readonly List[], slots: readonly Slot[]): Triggers {
  const marks = new Int32Array(lists.length);
  const always: number[] = [];
  const indexes = new Map<SourceName, Index>();
  for (const slot of slots) waitingFor(indexes, slot).slots.push(slot.at);
  lists.forEach((list, at) => {
    const triggers = triggersOf(list);
    if (triggers === undefined) always.push(at);
    for (const slot of new Set(triggers)) waitingFor(indexes, slot).rules.push(at);
  });
  let turn = 0;
  return {
    marks,
    mark({ view, values }) {
      turn = (turn + 1) & 0x3fffffff;
      const wake = (waiting: Waiting | undefined): void => {
        if (waiting === undefined) return;
        for (const at of waiting.slots) values[at] = pending;
        for (const at of waiting.rules) marks[at] = turn;
      };
      for (const at of always) marks[at] = turn;
      for (const [source, index] of indexes) wakeIn(source, index, view, wake);
      return turn;
    },
  };
}

function waitingFor(indexes: Map<SourceName, Index>, { parameter, read }: Slot): Waiting {
  const { source, steps, isWild } = parameter;
  const [first] = steps;
  const index = indexes.get(source) ?? { whole: nobody(undefined), named: new Map<string, Waiting>() };
  indexes.set(source, index);
  if (first === undefined || first === '*' || (isWild && steps.length === 1)) return index.whole;
  const waiting = index.named.get(first) ?? nobody(read);
  index.named.set(first, waiting);
  return waiting;
}

const nobody = (read: Reader | undefined): Waiting => ({ read, slots: [], rules: [] });

function wakeIn(
  source: SourceName,
  { whole, named }: Index,
  view: View,
  wake: (waiting: Waiting | undefined) => void,
): void {
  if (source === 'server') {
    wake(whole);
    for (const waiting of named.values()) if (waiting.read?.(view.asked) !== undefined) wake(waiting);
    return;
  }
  const root = view.source(source);
  if (root === undefined) return;
  wake(whole);
  if (named.size > 0 && typeof root === 'object') for (const name in root) wake(named.get(name));
}

/** Nothing where the list may hold whatever the request is. */
function triggersOf({ any, all }: List): readonly Slot[] | undefined {
  const ofAll = all.map(triggersOfTest);
  const rarest = ofAll.toSorted((one, other) => frequency(one) - frequency(other))[0];
  const needed = [...any.map(triggersOfTest), ...(all.length === 0 ? [] : [rarest])];
  return needed.every((some) => some !== undefined) ? needed.flat() : undefined;
}

const triggersOfTest = ({ slots, unbound, inner }: Test): readonly Slot[] | undefined =>
  unbound === undefined ? slots : inner && triggersOf(inner);

/** Every request has an environment; few have a certain name in their query. */
const frequency = (triggers: readonly Slot[] | undefined): number =>
  triggers === undefined
    ? 1000
    : triggers.reduce((sum, { parameter }) => sum + (isUsual(parameter.source) ? 100 : 1), 0);

const isUsual = (source: SourceName): boolean => source === 'server' || source === 'all';
