// Node runs timers before it reads sockets. After this process was blocked, a plain timer would give up an answer that has arrived
// already, so a deadline counts only the time in which the process could have read it.
import { performance } from 'node:perf_hooks';

export interface Timers {
  /** Milliseconds that never go back. */
  now(): number;
  /** Returns how to cancel. */
  after(milliseconds: number, run: () => void): () => void;
}

const systemTimers: Timers = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

const ticks = 12;

/**
 * Calls `expire` once this process was able to read for `limit` milliseconds. The limit is counted in ticks. A tick that comes more
 * than a tick late shows that the process was blocked, and is counted again: at most once for each tick, so that the end always comes.
 * Returns how to cancel.
 */
export function startDeadline(limit: number, expire: () => void, timers: Timers = systemTimers): () => void {
  const tick = limit / ticks;
  let [passed, late] = [0, 0];
  let cancel = (): void => {};
  const next = (): void => {
    const due = timers.now() + tick;
    cancel = timers.after(tick, () => {
      const wasBlocked = timers.now() - due > tick;
      if (wasBlocked && late < ticks) late += 1;
      else passed += 1;
      if (passed < ticks) next();
      else expire();
    });
  };
  next();
  return () => cancel();
}
