// The same files by `sharp` alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { given, offer } from '../child.ts';
import type { PicturesAsked } from '../media.ts';
import { many, photograph } from './scene.ts';

const copies = [
  [2560, 1920],
  [300, 225],
  [1024, 768],
  [150, 150],
  [768, 576],
  [1536, 1152],
  [2048, 1536],
] as const;

sharp.cache(false);

const { data } = given<PicturesAsked>();
mkdirSync(data);
const body = await photograph();

offer({
  async work() {
    const begun = performance.now();
    for (let picture = 0; picture < many; picture++) {
      const path = join(data, `${performance.now()}.jpg`);
      writeFileSync(path, body);
      const made = copies.map(([width, height]) =>
        sharp(path).autoOrient().resize({ width, height }).jpeg({ quality: 82 }).toFile(`${path}-${width}.jpg`),
      );
      await Promise.all(made);
    }
    return { done: many, milliseconds: performance.now() - begun };
  },
});
