/**
 * Runs the work for each, at most so many at a time, in no particular order. After the first error nothing more starts, and the error
 * is thrown when everything that was running has ended.
 */
export async function forEachConcurrently<T>(
  all: AsyncIterable<T> | Iterable<T>,
  most: number,
  work: (one: T) => Promise<void>,
) {
  const underway = new Set<Promise<void>>();
  const faults: unknown[] = [];
  try {
    for await (const one of all) {
      const flight: Promise<void> = work(one)
        .catch((fault) => void faults.push(fault))
        .finally(() => underway.delete(flight));
      underway.add(flight);
      if (underway.size >= most) await Promise.race(underway);
      if (faults.length > 0) break;
    }
  } finally {
    await Promise.all(underway);
  }
  if (faults.length > 0) throw faults[0];
}

/** Lets so many go at once; the others wait, the first come first. */
export function inTurn(most: number): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy < most) busy += 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

/** What `work` comes to, or what `late` says once the limit has passed (in ms; it may be infinite). The work itself goes on. */
export async function inTime<R>(work: Promise<R>, limit: number, late: () => Error): Promise<R> {
  if (!Number.isFinite(limit)) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limit);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Work that needs much memory takes turns: few at once, and no more of them than there is room for. */
export type Turns = <R>(weight: number, work: () => Promise<R>) => Promise<R>;

/** `room` in the unit of the weights. What alone weighs more goes when nobody else is at work. The first come go first. */
export function createTurns(atOnce: number, room: number): Turns {
  const waiting: { readonly weight: number; readonly go: () => void }[] = [];
  let busy = 0;
  let taken = 0;

  const next = (): void => {
    const [first] = waiting;
    if (first === undefined || busy >= atOnce || (busy > 0 && taken + first.weight > room)) return;
    waiting.shift();
    busy += 1;
    taken += first.weight;
    first.go();
    next();
  };

  return async (weight, work) => {
    await new Promise<void>((go) => {
      waiting.push({ weight, go });
      next();
    });
    try {
      return await work();
    } finally {
      busy -= 1;
      taken -= weight;
      next();
    }
  };
}
