// Turn after turn until it is stopped: at once when there is news, and now and then without any.
import type { Log } from '#store/engine.ts';
import { isAway } from './reasons.ts';

interface Loop {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  stop(): Promise<void>;
}

interface Needs {
  /** Answers how long to sleep at most unless woken, in milliseconds. */
  once(): Promise<number>;
  readonly log: Log;
}

const longestPause = 5_000;

export function createLoop({ once, log }: Needs): Loop {
  let waker = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  let round: Promise<void> | undefined;

  const rounds = async (): Promise<void> => {
    let isReported = false;
    for (let failures = 0; !isStopped; ) {
      waker = Promise.withResolvers();
      try {
        const maxPause = await once();
        if (isReported) log.info({}, 'Background jobs run again.');
        isReported = false;
        failures = 0;
        await within(maxPause, [waker.promise, stopped.promise]);
      } catch (error) {
        failures += 1;
        isReported = report(error, log, isReported);
        await within(Math.min(250 * 2 ** (failures - 1), longestPause), [stopped.promise]);
      }
    }
  };
  return {
    start() {
      round ??= rounds();
    },
    wake: () => waker.resolve(),
    async stop() {
      isStopped = true;
      stopped.resolve();
      await round;
    },
  };
}

/** Resolves with the first of these, or after so many milliseconds. */
export async function within(milliseconds: number, events: readonly Promise<unknown>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  timer.unref();
  await Promise.race([promise, ...events]);
  clearTimeout(timer);
}

/** Logs the first of several failures. A log that follows whether the store is away counts those itself. */
function report(error: unknown, log: Log, isReported: boolean): boolean {
  if (log.away && isAway(error)) {
    log.away(error);
    return isReported;
  }
  if (isReported) return true;
  if (isAway(error))
    log.warn({ reason: error.message }, 'Background jobs are paused until the database is writable again.');
  else log.error({ err: error }, 'Background jobs could not be started. Retrying.');
  return true;
}
