// Every capability there is just now: those that the deployment gives its roles, and those that extensions declare while they are on.

export interface Capabilities {
  /** Grows and shrinks. */
  readonly all: ReadonlySet<string>;
  /** Returns how to take it back: it stays while somebody else has declared it as well. */
  declare(capability: string): () => void;
}

export function createCapabilities(own: ReadonlySet<string>): Capabilities {
  const all = new Set(own);
  const declared = new Map<string, number>();
  return {
    all,
    declare(capability) {
      declared.set(capability, (declared.get(capability) ?? 0) + 1);
      all.add(capability);
      return () => {
        const left = declared.get(capability)! - 1;
        declared.set(capability, left);
        if (left === 0 && !own.has(capability)) all.delete(capability);
      };
    },
  };
}
