// How much there is of what extensions keep, for whoever looks after the site. They say so by `services.counts`.

/** By name. */
export type Counts = Readonly<Record<string, number>>;

export interface Counting {
  /** Of all of them. What cannot be counted just now is left out. */
  all(): Promise<Counts>;
  /** Returns how not to be asked any more. */
  also(count: () => Promise<Counts>): () => void;
}

export function createCounting(report: (error: unknown) => void): Counting {
  const asked = new Set<() => Promise<Counts>>();
  return {
    async all() {
      const counted = await Promise.allSettled([...asked].map(async (count) => count()));
      for (const one of counted) if (one.status === 'rejected') report(one.reason);
      return Object.assign({}, ...counted.map((one) => (one.status === 'fulfilled' ? one.value : {})));
    },
    also(count) {
      asked.add(count);
      return () => asked.delete(count);
    },
  };
}
