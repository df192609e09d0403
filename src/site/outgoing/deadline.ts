import { Upstream } from './upstream.ts';

/** Does something later; what it returns calls that off. */
export type After = (milliseconds: number, act: () => void) => () => void;

export const afterReally: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/** When to give up: the time is over, or whoever asks no longer wants it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What `work` comes to, unless it is time to give up before; then the work goes on unheard. */
  before<R>(work: Promise<R>): Promise<R>;
  end(): void;
}

export function deadlineOf(milliseconds: number, after: After, asker?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = () => controller.abort(asker?.reason);
  const callOff = after(milliseconds, () =>
    controller.abort(new Upstream('late', 'The other side took too long to answer.')),
  );
  if (asker?.aborted) giveUp();
  asker?.addEventListener('abort', giveUp);
  return {
    signal,
    before: (work) => unless(signal, work),
    end: () => {
      callOff();
      asker?.removeEventListener('abort', giveUp);
    },
  };
}

async function unless<R>(signal: AbortSignal, work: Promise<R>): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
