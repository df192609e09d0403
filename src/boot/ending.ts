// How extensions that have left are ended: first whoever is at work with any of them finishes, then each ends what its nouns began.
import { inTime } from '#lib/concurrency.ts';
import type { ExtensionTimeouts, Member } from './member.ts';

export interface Leaver extends Member {
  readonly callsUnderWay: CallsUnderWay;
}

interface Needs<L> {
  readonly patience: Pick<ExtensionTimeouts, 'finishes' | 'ends'>;
  /** The end of one failed. */
  report(error: unknown, extension: string): void;
  /** It has ended, or is waited for no longer. */
  ended(one: L): void;
}

/** Ends each once, whoever needs another before that one; in the list they are in this order. All of them together have as long as one. */
export function createEnding<L extends Leaver>({ patience, report, ended }: Needs<L>) {
  const begun = new WeakMap<L, Promise<void>>();
  const finished = ({ extension: { name }, callsUnderWay }: L): Promise<void> =>
    inTime(callsUnderWay.idle(), patience.finishes, () => new Error(stillAtWork)).catch((error) => report(error, name));
  const end = async ({ extension, use }: L, over: Promise<never>): Promise<void> =>
    Promise.race([Promise.try(() => extension.ends?.(use)), over]).catch((error) => report(error, extension.name));
  const endOnce = (one: L, over: Promise<never>): Promise<void> => {
    const ending = begun.get(one) ?? end(one, over).finally(() => ended(one));
    begun.set(one, ending);
    return ending;
  };
  return async (all: readonly L[]): Promise<void> => {
    await Promise.all(all.filter((one) => !begun.has(one)).map(finished));
    await within(patience.ends, async (over) => {
      const ends = new Map<L, Promise<void>>();
      for (const one of all) {
        const dependents = Array.from(ends).flatMap(([other, ending]) => (needs(other, one) ? [ending] : []));
        const before = Promise.race([Promise.all(dependents), over]).catch(() => {});
        ends.set(
          one,
          before.then(() => endOnce(one, over)),
        );
      }
      await Promise.all(ends.values());
    });
  };
}

const stillAtWork = 'Calls into the extension had not ended within the time limit.';

const needs = ({ extension: { needs = [] } }: Member, { extension: { provides = [] } }: Member): boolean =>
  needs.some((service) => provides.includes(service));

/** What `over` rejects with after so many milliseconds; the work itself has the say when it is done. */
async function within(limit: number, work: (over: Promise<never>) => Promise<void>): Promise<void> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => {});
  const timer = setTimeout(() => reject(new Error('The extension did not end within the time limit.')), limit);
  await work(over).finally(() => clearTimeout(timer));
}

/** Who is at work with something that may go: what was begun is done before it is ended. */
export interface CallsUnderWay {
  /** Does it; until it is done, somebody is at work. */
  of<R>(work: () => R): R;
  /** Resolves as soon as nobody is. */
  idle(): Promise<void>;
}

export function createCallsUnderWay(): CallsUnderWay {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const done = (): void => {
    underWay -= 1;
    if (underWay > 0) return;
    for (const told of waiting) told();
    waiting = [];
  };
  return {
    of(work) {
      underWay += 1;
      let made: ReturnType<typeof work>;
      try {
        made = work();
      } catch (error) {
        done();
        throw error;
      }
      if (made instanceof Promise) made.then(done, done);
      else done();
      return made;
    },
    idle: () => new Promise((resolve) => (underWay === 0 ? resolve() : void waiting.push(resolve))),
  };
}
