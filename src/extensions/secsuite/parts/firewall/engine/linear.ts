// Patterns of people run on an engine that never goes back over a text. What it may still take is bounded here: the states it
// works out for one text, and how much of a text it reads where they do not suffice.
import { RE2JS } from 're2js';

/** What the states of one pattern may take, in bytes by the engine's own count. */
const mostStates = 256 * 1024;
/** Instructions times characters, where there are too many states. */
const mostSteps = 1_000_000;
/** A longer or larger pattern is refused. */
const most = { characters: 8 * 1024, instructions: 2_000 };

/** What a pattern says of a text: `unsure` where it looked at the ends of it alone, and found nothing there. */
export type Finding = boolean | 'unsure';

export interface Linear {
  find(text: string): Finding;
  /** In its first and last so many characters. */
  findAtEnds(text: string, length: number): Finding;
}

export class TooLarge extends Error {}
class TooCostly extends Error {}

/** Throws for a pattern that the engine does not know, or that is too large. */
export function compileLinear(source: string, flags: number): Linear {
  if (source.length > most.characters) throw new TooLarge();
  const pattern = RE2JS.compile(source, flags);
  const size = pattern.programSize();
  if (size > most.instructions) throw new TooLarge();
  const machine = pattern.re2();
  const longest = Math.floor(mostSteps / size);
  bind(machine, longest);
  pattern.test(''); // what it needs for its first text it needs now

  const unlessCostly = (parts: readonly string[]): boolean | undefined => {
    try {
      return parts.some((part) => pattern.test(part));
    } catch (error) {
      if (error instanceof TooCostly) return undefined;
      throw error;
    }
  };
  const withoutStates = (text: string): Finding => {
    machine.dfa.failed = true;
    try {
      return endsOf(text, longest >> 1).some((end) => pattern.test(end)) || 'unsure';
    } finally {
      machine.dfa.failed = false;
    }
  };
  return {
    find: (text) => unlessCostly([text]) ?? withoutStates(text),
    findAtEnds: (text, length) => {
      const isFound = unlessCostly(endsOf(text, length));
      return isFound === undefined ? withoutStates(text) : isFound || 'unsure';
    },
  };
}

const endsOf = (text: string, length: number): readonly string[] => [text.slice(0, length), text.slice(-length)];

type Machine = ReturnType<RE2JS['re2']>;

/** A text for which the states run out is tried once more with none from before, and then without states, if it is short. */
function bind(machine: Machine, longest: number): void {
  const { dfa } = machine;
  dfa.stateBudget = mostStates;
  dfa.memBudget = mostStates;
  dfa.resetCache = () => {
    dfa.clearCache();
    return null;
  };
  const slowly = machine.doExecuteNFA.bind(machine);
  machine.doExecuteNFA = (input, pos, anchor, ncap, lookedBack) => {
    if (input.endPos() <= longest) return slowly(input, pos, anchor, ncap, lookedBack);
    const matches: unknown = dfa.match(input, pos, anchor);
    if (matches === null) throw new TooCostly();
    return matches === true ? [] : null;
  };
}
