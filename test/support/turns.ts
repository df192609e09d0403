// For tests of work that must let others have their turn.
import { setImmediate as turn } from 'node:timers/promises';
import { processorTime } from '#store/slices.ts';

/** Of this thread, in milliseconds: for what must not take long, however busy the machine is. */
export { processorTime };

interface Turns<R> {
  readonly answer: R;
  /** Milliseconds of processor between two turns, at most, and in all. */
  readonly longest: number;
  readonly whole: number;
}

/** Does the work and measures how long it keeps this thread at a time. Waiting for a disk or for a busy machine is not counted. */
export async function turnsOf<R>(work: () => Promise<R>): Promise<Turns<R>> {
  let [last, longest, isDone] = [processorTime(), 0, false];
  const begun = last;
  const look = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    look();
    await turn();
  }
  look();
  return { answer: await done, longest, whole: last - begun };
}
