/** What time it is. An argument, so that tests say so. */

/** Calls `act` after so many milliseconds. The function it returns cancels that. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** The timer of the running process; tests pass one of their own. */
export const afterReally: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
