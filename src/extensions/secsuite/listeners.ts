// Whoever wants to be told. One who fails is written down and keeps nobody else from being told.
export interface Listeners<A extends readonly unknown[]> {
  tell(...what: A): void;
  /** Returns how to hear no more. */
  add(listener: (...what: A) => void): () => void;
}

export function createListeners<A extends readonly unknown[]>(failed: (error: unknown) => void): Listeners<A> {
  const all = new Set<(...what: A) => void>();
  return {
    tell(...what) {
      for (const listener of all)
        try {
          listener(...what);
        } catch (error) {
          failed(error);
        }
    },
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
