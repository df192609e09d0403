/** Calls `act` after so many milliseconds. The function it returns cancels that. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** The timer of the running process; tests pass one of their own. */
export const afterReally: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};
