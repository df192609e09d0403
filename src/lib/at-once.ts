/**
 * Does it for each, so many at a time, in whatever order they get done. After the first fault nothing more is begun, and it is told
 * once nothing is under way any more.
 */
export async function eachAtOnce<T>(
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
