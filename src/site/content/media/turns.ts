// Work that needs much memory takes turns: few at once, and no more of them than there is room for.

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
