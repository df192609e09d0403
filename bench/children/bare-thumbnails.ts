// The same files by `sharp` alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { given, offer } from '../child.ts';
import { pictures, type ThumbnailsOptions } from '../thumbnails.ts';
import { photograph } from './scene.ts';

const copies = [
  [300, 225],
  [1024, 768],
  [150, 150],
  [768, 576],
  [1536, 1152],
  [2048, 1536],
] as const;

sharp.cache(false);

const { data } = given<ThumbnailsOptions>();
mkdirSync(data);
const pathOf = (picture: number): string => join(data, `${picture}.jpg`);

offer({
  async prepare() {
    const body = await photograph();
    for (let picture = 0; picture < pictures; picture++) writeFileSync(pathOf(picture), body);
  },
  async work() {
    const begun = performance.now();
    for (let picture = 0; picture < pictures; picture++) {
      const path = pathOf(picture);
      const whole = sharp(path, { sequentialRead: true })
        .autoOrient()
        .resize({ width: 2560, height: 1920, fit: 'fill' });
      const { data: pixels, info } = await whole.raw().toBuffer({ resolveWithObject: true });
      const raw = { width: info.width, height: info.height, channels: info.channels };
      const made = copies.map(([width, height]) =>
        sharp(pixels, { raw }).resize({ width, height }).jpeg({ quality: 82 }).toFile(`${path}-${width}.jpg`),
      );
      await Promise.all(made);
    }
    return { done: pictures, milliseconds: performance.now() - begun };
  },
});
