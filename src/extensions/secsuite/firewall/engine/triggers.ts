// Which rules a request can concern at all: a rule is looked at only if something it asks about is there.
import type { List, Slot, Test } from './conditions.ts';
import type { SourceName } from './parameter.ts';
import type { View } from './view.ts';

/** A name below a source; none for the source as a whole. */
interface Trigger {
  readonly source: SourceName;
  readonly name: string | undefined;
}

/** The places of rules in their plan. */
interface Index {
  /** As soon as there is anything in the source. */
  readonly whole: number[];
  readonly named: Map<string, number[]>;
}

export interface Triggers {
  /** Marks the places of the rules to look at with a number that no earlier request had; gives the number. */
  mark(view: View): number;
  readonly marks: Int32Array;
}

export function createTriggers(lists: readonly List[]): Triggers {
  const marks = new Int32Array(lists.length);
  const always: number[] = [];
  const indexes = new Map<SourceName, Index>();
  lists.forEach((list, at) => {
    const triggers = triggersOf(list);
    if (triggers === undefined) always.push(at);
    for (const trigger of triggers ?? []) enter(indexes, trigger, at);
  });
  let turn = 0;
  const put = (places: readonly number[] | undefined): void => {
    if (places !== undefined) for (const place of places) marks[place] = turn;
  };
  return {
    marks,
    mark(view) {
      turn = (turn + 1) & 0x3fffffff;
      put(always);
      for (const [source, index] of indexes) markOf(source, index, view, put);
      return turn;
    },
  };
}

function enter(indexes: Map<SourceName, Index>, { source, name }: Trigger, at: number): void {
  const index = indexes.get(source) ?? { whole: [], named: new Map() };
  indexes.set(source, index);
  const places = name === undefined ? index.whole : (index.named.get(name) ?? []);
  if (name !== undefined) index.named.set(name, places);
  if (places.at(-1) !== at) places.push(at);
}

function markOf(
  source: SourceName,
  { whole, named }: Index,
  view: View,
  put: (places: readonly number[] | undefined) => void,
): void {
  if (source === 'server') {
    put(whole);
    for (const [name, places] of named) if (view.server(name) !== undefined) put(places);
    return;
  }
  const root = view.source(source);
  if (root === undefined) return;
  put(whole);
  if (named.size > 0 && typeof root === 'object') for (const name in root) put(named.get(name));
}

/** Nothing where the list may hold whatever the request is. */
function triggersOf({ any, all }: List): readonly Trigger[] | undefined {
  const ofAny = any.map(triggersOfTest);
  const ofAll = all.map(triggersOfTest);
  const rarest = ofAll.toSorted((one, other) => frequency(one) - frequency(other))[0];
  const needed = all.length === 0 ? ofAny : [...ofAny, rarest];
  return needed.every((some) => some !== undefined) ? needed.flat() : undefined;
}

function triggersOfTest({ slots, unbound, inner }: Test): readonly Trigger[] | undefined {
  if (unbound !== undefined) return inner && triggersOf(inner);
  return slots.every(({ parameter }) => parameter.source !== 'all') ? slots.map(triggerOf) : undefined;
}

function triggerOf({ parameter: { source, steps, isWild } }: Slot): Trigger {
  const [first] = steps;
  const isOpen = first === '*' || (isWild && steps.length === 1);
  return { source, name: isOpen ? undefined : first };
}

/** Every request has an environment; few have a certain name in their query. */
const frequency = (triggers: readonly Trigger[] | undefined): number =>
  triggers === undefined ? 1000 : triggers.reduce((sum, { source }) => sum + (source === 'server' ? 100 : 1), 0);
