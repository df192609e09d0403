// Ctrl-C, for work that may be stopped between two of its parts. Whoever presses it twice means it.
import type { Ask } from '../command.ts';

export async function untilStopped<T>({ note }: Pick<Ask, 'note'>, work: (signal: AbortSignal) => Promise<T>) {
  const stopping = new AbortController();
  const stop = (): void => {
    note(`${process.stderr.isTTY ? '\r\x1b[K' : ''}Stopping when this part is done …`);
    stopping.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
