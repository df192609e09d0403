// What a request can concern at all: of a rule only that is looked at which asks about something that is there, and so is a value.

import type { Reader } from './asked.ts';
import { holdsAll, type List, meets, type Slot, type Test } from './conditions.ts';
import type { SourceName } from './parameter.ts';
import { pending, type Run } from './run.ts';

/** A rule made ready. */
export interface Ready {
  readonly id: string;
  readonly type: string;
  /** Rules are asked from the lowest to the highest; those that let pass come before all others. */
  readonly place: number;
  readonly list: List;
  /** Where it sends whoever it matches; nothing where it names no place. */
  readonly to: string | undefined;
  /** Whether it is not for those who are trusted. */
  readonly sparesTrusted: boolean;
  /** What is to be asked of it for the request that is looked at, and which request that is. */
  readonly asked: Part[];
  turn: number;
}

export interface Triggers {
  /** Tells what is there and is to be looked up: answers the rules of which something is to be asked, in their order. */
  awake(run: Run): readonly Ready[];
  /** Whether the rule holds, by what is to be asked of it. */
  holds(rule: Ready, run: Run): boolean;
  /** Returns how to take it away again. */
  add(rule: Ready): () => void;
  opened(slot: Slot): void;
  closed(slot: Slot): void;
}

/** What makes a rule hold by itself: one of its conditions, or all that count together. */
export interface Part {
  readonly rule: Ready;
  readonly holds: (run: Run) => boolean;
  turn: number;
}

/** What waits for a name below a source, or for the source as a whole. */
interface Waiting {
  readonly read: Reader | undefined;
  readonly slots: Set<Slot>;
  readonly parts: Set<Part>;
}

interface Index {
  readonly whole: Waiting;
  readonly named: Map<string, Waiting>;
}

type Indexes = Map<SourceName, Index>;

export function createTriggers(): Triggers {
  const always = new Set<Part>();
  const indexes: Indexes = new Map();
  let turn = 0;
  return {
    awake(run) {
      turn = (turn + 1) & 0x3fffffff;
      const awake: Ready[] = [];
      const ask = (part: Part): void => {
        if (part.turn === turn) return;
        part.turn = turn;
        const { rule } = part;
        if (rule.turn !== turn) {
          rule.turn = turn;
          rule.asked.length = 0;
          awake.push(rule);
        }
        rule.asked.push(part);
      };
      for (const part of always) ask(part);
      for (const [source, index] of indexes) wakeIn(source, index, run, ask);
      return awake.length > 1 ? awake.sort(inOrder) : awake;
    },
    holds({ asked }, run) {
      for (const part of asked) if (part.holds(run)) return true;
      return false;
    },
    add(rule) {
      const parts = partsOf(rule.list).map(({ triggers, holds }) => ({
        part: { rule, holds, turn: 0 },
        places: triggers && [...new Set(triggers)],
      }));
      for (const { part, places } of parts) {
        if (places === undefined) always.add(part);
        for (const slot of places ?? []) waitingFor(indexes, slot).parts.add(part);
      }
      return () => {
        for (const { part, places } of parts) {
          always.delete(part);
          for (const slot of places ?? []) leave(indexes, slot, ({ parts }) => parts.delete(part));
        }
      };
    },
    opened: (slot) => void waitingFor(indexes, slot).slots.add(slot),
    closed: (slot) => leave(indexes, slot, ({ slots }) => slots.delete(slot)),
  };
}

const inOrder = (one: Ready, other: Ready): number =>
  Number(other.type === 'WHITELIST') - Number(one.type === 'WHITELIST') || one.place - other.place;

function wake(waiting: Waiting | undefined, { places }: Run, ask: (part: Part) => void): void {
  if (waiting === undefined) return;
  for (const slot of waiting.slots) {
    slot.found = pending;
    places.push(slot);
  }
  for (const part of waiting.parts) ask(part);
}

function waitingFor(indexes: Indexes, slot: Slot): Waiting {
  const { source } = slot.parameter;
  const index = indexes.get(source) ?? { whole: nobody(undefined), named: new Map<string, Waiting>() };
  indexes.set(source, index);
  const name = nameOf(slot);
  if (name === undefined) return index.whole;
  const waiting = index.named.get(name) ?? nobody(slot.read);
  index.named.set(name, waiting);
  return waiting;
}

/** What nobody waits for is forgotten: names come and go with rules. */
function leave(indexes: Indexes, slot: Slot, remove: (waiting: Waiting) => void): void {
  const { source } = slot.parameter;
  const waiting = waitingFor(indexes, slot);
  remove(waiting);
  const isIdle = ({ slots, parts }: Waiting): boolean => slots.size + parts.size === 0;
  const { whole, named } = indexes.get(source)!;
  const name = nameOf(slot);
  if (name !== undefined && isIdle(waiting)) named.delete(name);
  if (named.size === 0 && isIdle(whole)) indexes.delete(source);
}

/** The name below the source; nothing for the source as a whole. */
function nameOf({ parameter: { steps, isWild } }: Slot): string | undefined {
  const [first] = steps;
  return first === '*' || (isWild && steps.length === 1) ? undefined : first;
}

const nobody = (read: Reader | undefined): Waiting => ({ read, slots: new Set(), parts: new Set() });

function wakeIn(source: SourceName, { whole, named }: Index, run: Run, ask: (part: Part) => void): void {
  const { view } = run;
  if (source === 'server') {
    wake(whole, run, ask);
    for (const waiting of named.values()) if (waiting.read?.(view.asked) !== undefined) wake(waiting, run, ask);
    return;
  }
  const root = view.source(source);
  if (root === undefined) return;
  wake(whole, run, ask);
  if (named.size > 0 && typeof root === 'object') for (const name in root) wake(named.get(name), run, ask);
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
