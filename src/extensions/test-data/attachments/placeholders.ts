// Placeholders as files.
import type { Draws } from '#lib/draws.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { Turns } from '#site/content/media/turns.ts';
import type { FileType } from './args.ts';
import { ofPixels, weightOf } from './encode.ts';
import { drawPlaceholder } from './placeholder.ts';
import type { Origin } from './words.ts';

/** The bytes of a file, and where they are from, where that is not here. */
export interface Source {
  readonly bytes: Buffer;
  readonly origin?: Origin;
}

/** Where pictures come from. */
export interface Sources {
  take(draws: Draws, size: Dimensions, type: FileType): Promise<Source>;
}

/** For all orders: a picture is drawn where the one before it was, unless nobody needed that for so long that it was cleared away. */
export function createPlaceholders(inTurn: Turns): Sources {
  const free: WeakRef<Buffer<ArrayBuffer>>[] = [];
  return {
    take: (draws, size, type) =>
      inTurn(weightOf(size, type), async () => {
        const room = free.pop()?.deref();
        const pixels = await drawPlaceholder(size, draws, room);
        try {
          return { bytes: await ofPixels(pixels, type) };
        } finally {
          free.push(new WeakRef(Buffer.from(pixels.data.buffer)));
        }
      }),
  };
}
