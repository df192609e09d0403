// Conditions made ready: what they look at has a place of its own, so that it is looked up once for all of them.
import { type Reader, readerOf } from './asked.ts';
import { type Kit, type Matcher, matcherOf } from './matching.ts';
import { type Mutate, mutating, tooMuch } from './mutations.ts';
import { lookUp, type Parameter, parameterOf } from './parameter.ts';
import { type Condition, most } from './rule.ts';
import { type Place, pending, type Run, spend } from './run.ts';
import { isContainer, type Subject, subjectOf } from './subject.ts';

/** What is looked up, and what is made of it. */
export interface Slot extends Place {
  readonly parameter: Parameter;
  /** Quicker, for one of the environment. */
  readonly read: Reader | undefined;
  readonly mutate: Mutate | undefined;
}

export interface Test {
  readonly slots: readonly Slot[];
  /** For a condition that looks nowhere: it is held against nothing. */
  readonly unbound: Subject | undefined;
  readonly inner: List | undefined;
  readonly matches: Matcher;
}

/** One of these, or all of those. */
export interface List {
  readonly any: readonly Test[];
  readonly all: readonly Test[];
}

export interface Shop extends Kit {
  slot(parameter: Parameter, mutations: readonly string[] | undefined): Slot;
}

interface Slots {
  /** For one rule: the places it looks at, and how to give them back. */
  holder(): { readonly slot: Shop['slot']; release(): void };
}

/** Told of each place that somebody begins to look at, and of each that nobody looks at any more. */
interface SlotListener {
  opened(slot: Slot): void;
  closed(slot: Slot): void;
}

export function createSlots({ opened, closed }: SlotListener): Slots {
  const all = new Map<string, { readonly slot: Slot; users: number }>();
  const open = (name: string, slot: Slot) => {
    const one = { slot, users: 0 };
    all.set(name, one);
    opened(slot);
    return one;
  };
  const leave = (name: string): void => {
    const one = all.get(name)!;
    one.users -= 1;
    if (one.users > 0) return;
    all.delete(name);
    closed(one.slot);
  };
  return {
    holder() {
      const held = new Set<string>();
      return {
        slot(parameter, mutations) {
          const name = JSON.stringify([parameter.source, ...parameter.steps, mutations]);
          const one = all.get(name) ?? open(name, slotOf(parameter, mutations));
          if (!held.has(name)) one.users += 1;
          held.add(name);
          return one.slot;
        },
        release: () => held.forEach(leave),
      };
    },
  };
}

function slotOf(parameter: Parameter, mutations: readonly string[] | undefined): Slot {
  const { source, steps, isWild } = parameter;
  const read =
    source === 'server' && steps.length === 1 && !isWild ? (readerOf(steps[0]!) ?? (() => undefined)) : undefined;
  return { parameter, read, mutate: mutations && mutating(mutations), found: undefined };
}

/** Marks count where several of a list have them; else each condition stands alone. */
export function listOf(conditions: readonly Condition[], shop: Shop, level = 1): List {
  if (level > most.levels) return { any: [], all: [] };
  const isMarked = ({ inclusive }: Condition): boolean => inclusive === true;
  const areTogether = conditions.filter(isMarked).length > 1;
  const testsOf = (some: readonly Condition[]): Test[] => some.map((one) => testOf(one, shop, level));
  if (!areTogether) return { any: testsOf(conditions), all: [] };
  return { any: testsOf(conditions.filter((one) => !isMarked(one))), all: testsOf(conditions.filter(isMarked)) };
}

function testOf({ parameter, match, rules, mutations }: Condition, shop: Shop, level: number): Test {
  const said = [parameter ?? []].flat();
  const used = Array.isArray(mutations) ? mutations : undefined;
  const slots = said.flatMap((one) => slotAt(one, used, shop) ?? []);
  const looksNowhere = said.some((one) => one === false || one === 'rules');
  const nothing = looksNowhere ? subjectOf(used === undefined ? null : mutating(used)(null)) : undefined;
  const inner = Array.isArray(rules) ? listOf(rules, shop, level + 1) : undefined;
  return {
    slots,
    unbound: used !== undefined && nothing?.value === null ? undefined : nothing,
    inner,
    matches: inner === undefined ? matcherOf(match, shop, level) : (_, run) => holds(inner, run),
  };
}

function slotAt(said: unknown, mutations: readonly string[] | undefined, { slot }: Shop): Slot | undefined {
  const parameter = typeof said === 'string' ? parameterOf(said) : undefined;
  return parameter && slot(parameter, mutations);
}

function holds({ any, all }: List, run: Run): boolean {
  for (const test of any) if (meets(test, run)) return true;
  return all.length > 0 && holdsAll(all, run);
}

export function holdsAll(tests: readonly Test[], run: Run): boolean {
  for (const test of tests) if (!meets(test, run)) return false;
  return true;
}

export function meets(test: Test, run: Run): boolean {
  spend(run, 1);
  if (test.unbound !== undefined && test.matches(test.unbound, run)) return true;
  for (const slot of test.slots) {
    const { found } = slot;
    if (found === undefined) continue;
    const subjects = found === pending ? look(slot, run) : found;
    if (subjects.length > 1) spend(run, subjects.length);
    for (const subject of subjects) if (isMet(test, subject, run)) return true;
  }
  return false;
}

function isMet(test: Test, subject: Subject, run: Run): boolean {
  if (subject.value !== tooMuch) return test.matches(subject, run);
  run.tooLong = true;
  return false;
}

const nothing: readonly Subject[] = [];

function look(slot: Slot, run: Run): readonly Subject[] {
  const subjects = subjectsAt(slot, run);
  spend(run, subjects.length);
  slot.found = subjects;
  return subjects;
}

function subjectsAt({ parameter, read, mutate }: Slot, run: Run): readonly Subject[] {
  const { view } = run;
  if (read === undefined) {
    const root = view.source(parameter.source);
    const isBody = parameter.source === 'raw' && parameter.steps.length === 0 && mutate === undefined;
    if (isBody && isContainer(root)) return bodiesOf(root, view.body());
    return isNothing(root) ? nothing : changed(lookUp(root, parameter), mutate, run);
  }
  const value = read(view.asked);
  return value === undefined ? nothing : mutate === undefined ? [subjectOf(value)] : changed([value], mutate, run);
}

/** JSON may write a character as an escape: the pattern is also tried on the text without escapes. */
function bodiesOf(document: object, sent: string): readonly Subject[] {
  const asSent = subjectOf(document, sent);
  return sent.includes('\\') ? [asSent, subjectOf(document, JSON.stringify(document))] : [asSent];
}

function changed(values: readonly unknown[], mutate: Mutate | undefined, run: Run): readonly Subject[] {
  if (values.length === 0) return nothing;
  if (mutate === undefined) return values.map((value) => subjectOf(value));
  const subjects: Subject[] = [];
  for (const value of values) {
    spend(run, 16);
    const made = mutate(value);
    if (made !== null) subjects.push(subjectOf(made));
  }
  return subjects;
}

/** Also a source with nothing in it. */
function isNothing(root: unknown): boolean {
  if (root === undefined || root === null) return true;
  if (typeof root !== 'object') return false;
  for (const _ in root) return false;
  return true;
}
