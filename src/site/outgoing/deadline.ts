import type { After } from '../platform/clock.ts';
import { Upstream } from './upstream.ts';

/** When to give up: the time is over, or whoever asks no longer wants it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What `work` comes to, unless it is time to give up before; then the work goes on unheard. */
  before<R>(work: Promise<R>): Promise<R>;
  end(): void;
}

/** Calls `ended` once, when the time is over or nobody needs it any more. */
export function deadlineOf(
  milliseconds: number,
  {
    after,
    ended,
    asker,
  }: { readonly after: After; readonly ended: () => void; readonly asker?: AbortSignal | undefined },
): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = (why: unknown) => {
    controller.abort(why);
    end();
  };
  const leave = () => giveUp(asker?.reason);
  const callOff = after(milliseconds, () =>
    giveUp(new Upstream('late', 'The other server did not answer within the time limit.')),
  );
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    callOff();
    asker?.removeEventListener('abort', leave);
    ended();
  };
  if (asker?.aborted) leave();
  else asker?.addEventListener('abort', leave);
  return { signal, before: (work) => unless(signal, work), end };
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
