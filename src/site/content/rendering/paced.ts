// Long work on many texts, with others let in between.
import { setImmediate as breath } from 'node:timers/promises';

interface Long {
  readonly content: string;
}

/** In groups of so many characters, one after the other. What they are made into, in their order. */
export async function paced<T extends Long, R>(
  some: readonly T[],
  most: number,
  work: (group: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < some.length; ) {
    if (from > 0) await breath();
    const group = groupFrom(some, from, most);
    done.push(...(await work(group)));
    from += group.length;
  }
  return done;
}

function groupFrom<T extends Long>(some: readonly T[], from: number, most: number): T[] {
  let length = 0;
  const beyond = some.findIndex(({ content }, at) => {
    if (at < from) return false;
    length += content.length;
    return at > from && length > most;
  });
  return some.slice(from, beyond < 0 ? some.length : beyond);
}

/** A text that is longer may take a while with each step. */
const long = 64 * 1024;

/** Of what makes a text: where others may be let in. */
export type Steps = Generator<undefined, string>;

/** What the steps lead to. */
export async function unhurried(steps: Steps, length: number): Promise<string> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (length > long) await breath();
  }
}

/** The same, while everybody waits. */
export function atOnce(steps: Steps): string {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
