// What extensions bring to texts and records fails for itself alone: it is missing there, and the log is told once.
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';

/** It failed, and whoever has to know was told. */
export class Contained extends Error {}

/** What was made while something failed rests on this, and there is word of it at once: so none of it is kept. */
export const failedTopic = 'shown by extensions: failed';

export interface ContainedNeeds {
  readonly store: Pick<Store<unknown>, 'changes' | 'readBefore'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Calls back after so many milliseconds. Returns how to end that. */
  readonly after?: (time: number, run: () => void) => () => void;
}

export interface Containing {
  /** Nothing made now is kept. The log is told of an error, once. */
  failed(name: string, error?: unknown): void;
  /** The same, and throws `Contained`. */
  fail(name: string, error?: unknown): never;
  /** This work, which throws nothing but `Contained`, and soon. */
  bounded<Asked, T>(name: string, work: (asked: Asked) => Promise<T>): (asked: Asked) => Promise<T>;
}

/** In milliseconds: so long one is waited for, and so long one that was late is not asked again. */
const patience = { each: 5_000, after: 60_000 };

/** The log is told of no more that differ. */
const mostTold = 100;

function afterTime(time: number, run: () => void): () => void {
  const timer = setTimeout(run, time).unref();
  return () => clearTimeout(timer);
}

/** `says`: what the log is told of one of this name. */
export function createContained(needs: ContainedNeeds, says: (name: string) => string): Containing {
  const { store, clock, log, after = afterTime } = needs;
  const told = new Set<string>();
  const failed = (name: string, error?: unknown): void => {
    store.readBefore([failedTopic]);
    store.changes.say([failedTopic]);
    const said = `${name} ${error instanceof Error ? error.message : ''}`;
    if (error === undefined || told.has(said) || told.size >= mostTold) return;
    told.add(said);
    log.error({ err: error }, says(name));
  };
  const fail = (name: string, error?: unknown): never => {
    failed(name, error);
    throw new Contained(name);
  };

  const soon = <T>(work: () => Promise<T>, late: () => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = after(patience.each, () => {
        late();
        reject(new Error(`It did not finish within ${patience.each / 1000} seconds.`));
      });
      work().finally(stop).then(resolve, reject);
    });

  return {
    failed,
    fail,
    bounded(name, work) {
      let until = 0;
      return async (asked) => {
        if (clock().getTime() < until) return fail(name);
        const late = (): void => {
          until = clock().getTime() + patience.after;
        };
        return soon(async () => work(asked), late).catch((error: unknown) =>
          fail(name, error ?? new Error('It failed.')),
        );
      };
    },
  };
}
