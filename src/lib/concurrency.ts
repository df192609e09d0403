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
