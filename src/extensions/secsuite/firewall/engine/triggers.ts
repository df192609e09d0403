// What a request can concern at all: of a rule only that is looked at which asks about something that is there, and so is a value.
import { holdsAll, type List, meets, type Slot, type Test } from './conditions.ts';
import type { Reader } from './environment.ts';
import type { SourceName } from './parameter.ts';
import { pending, type Run } from './run.ts';
import type { View } from './view.ts';

export interface Triggers {
  /** Tells what is there and is to be looked up, and of which rules something is to be asked: those whose mark is the number it answers. */
  mark(run: Run): number;
  readonly marks: Int32Array;
  /** Whether the rule holds, by what is to be asked of it. */
  holds(rule: number, run: Run): boolean;
}

/** What makes a rule hold by itself: one of its conditions, or all that count together. */
interface Part {
  readonly rule: number;
  readonly holds: (run: Run) => boolean;
  turn: number;
}

/** What waits for a name below a source, or for the source as a whole: places of slots, and parts of rules. */
interface Waiting {
  readonly read: Reader | undefined;
  readonly slots: number[];
  readonly parts: Part[];
}

interface Index {
  readonly whole: Waiting;
  readonly named: Map<string, Waiting>;
}

export function createTriggers(lists: readonly List[], slots: readonly Slot[]): Triggers {
  const marks = new Int32Array(lists.length);
  /** Of each rule, and how many there are of it for the request that is looked at. */
  const asked: Part[][] = lists.map(() => []);
  const counts = new Int32Array(lists.length);
  const always: Part[] = [];
  const indexes = new Map<SourceName, Index>();
  for (const slot of slots) waitingFor(indexes, slot).slots.push(slot.at);
  lists.forEach((list, rule) => {
    for (const { triggers, holds } of partsOf(list)) {
      const part: Part = { rule, holds, turn: 0 };
      if (triggers === undefined) always.push(part);
      for (const slot of new Set(triggers)) waitingFor(indexes, slot).parts.push(part);
    }
  });
  let turn = 0;
  const ask = (part: Part): void => {
    if (part.turn === turn) return;
    part.turn = turn;
    const { rule } = part;
    if (marks[rule] !== turn) counts[rule] = 0;
    marks[rule] = turn;
    asked[rule]![counts[rule]!++] = part;
  };
  return {
    marks,
    mark({ view, values, found }) {
      turn = (turn + 1) & 0x3fffffff;
      const wake = (waiting: Waiting | undefined): void => {
        if (waiting === undefined) return;
        for (const at of waiting.slots) {
          values[at] = pending;
          found.push(at);
        }
        for (const part of waiting.parts) ask(part);
      };
      for (const part of always) ask(part);
      for (const [source, index] of indexes) wakeIn(source, index, view, wake);
      return turn;
    },
    holds(rule, run) {
      const parts = asked[rule]!;
      for (let at = 0; at < counts[rule]!; at++) if (parts[at]!.holds(run)) return true;
      return false;
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

const nobody = (read: Reader | undefined): Waiting => ({ read, slots: [], parts: [] });

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

interface Trigger {
  /** Nothing where it may hold whatever the request is. */
  readonly triggers: readonly Slot[] | undefined;
  readonly holds: (run: Run) => boolean;
}

/** Of conditions that count together, the rarest wakes all. */
function partsOf({ any, all }: List): Trigger[] {
  const alone = any.map((test): Trigger => ({ triggers: triggersOfTest(test), holds: (run) => meets(test, run) }));
  if (all.length === 0) return alone;
  return [...alone, { triggers: rarestOf(all), holds: (run) => holdsAll(all, run) }];
}

const rarestOf = (all: readonly Test[]): readonly Slot[] | undefined =>
  all.map(triggersOfTest).toSorted((one, other) => frequency(one) - frequency(other))[0];

function triggersOf(list: List): readonly Slot[] | undefined {
  const needed = partsOf(list).map(({ triggers }) => triggers);
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
