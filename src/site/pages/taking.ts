// Whoever asks for much and takes none of it keeps what it is read from: after a while that ends.
import type { Readable } from 'node:stream';
import { second } from '#lib/spans.ts';

export interface Taking {
  /** The same, one after the other, while they are taken. */
  of(pieces: AsyncIterable<string>): AsyncGenerator<string>;
  /** Nothing is waited for any more. */
  end(): void;
}

/** Gives the body up when nothing was taken from it for so many milliseconds. How long the next piece takes to come is another matter. */
export function taking(body: Readable, patience = 30 * second): Taking {
  let waiting: NodeJS.Timeout | undefined;
  const wait = (): void => {
    waiting = setTimeout(() => body.destroy(), patience);
    waiting.unref();
  };
  const end = (): void => clearTimeout(waiting);
  return {
    end,
    async *of(pieces) {
      for await (const piece of pieces) {
        wait();
        yield piece;
        end();
      }
      // Of the last ones some may still lie in between.
      wait();
    },
  };
}
