// The same files by `sharp` alone.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawsOf } from '#lib/draws.ts';
import { drawPlaceholder } from '../../src/extensions/test-data/attachments/placeholder.ts';
import { given, offer } from '../child.ts';
import type { PlaceholdersAsked } from '../placeholders.ts';

const size = { width: 1_200, height: 800 };
const copies = [
  [300, 200],
  [1_024, 683],
  [150, 150],
  [768, 512],
] as const;

sharp.cache(false);

const { data } = given<PlaceholdersAsked>();
mkdirSync(data);
let rounds = 0;

offer({
  async work() {
    const begun = performance.now();
    rounds++;
    for (let nth = 0; nth < 100; nth++) {
      const path = join(data, `${rounds}-${nth}.jpg`);
      const pixels = await drawPlaceholder(size, drawsOf(rounds, nth));
      await sharp(pixels.data, { raw: { ...size, channels: 3 } })
        .jpeg({ quality: 82 })
        .toFile(path);
      const made = copies.map(([width, height]) =>
        sharp(path).autoOrient().resize({ width, height }).jpeg({ quality: 82 }).toFile(`${path}-${width}.jpg`),
      );
      await Promise.all(made);
    }
    return { done: 100, milliseconds: performance.now() - begun };
  },
});
