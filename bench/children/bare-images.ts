// The same files by `sharp` alone, each compared with its source.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type GrayPixels, ssim } from '#lib/ssim.ts';
import { drawPhotograph } from '#test/photographs.ts';
import { given, offer } from '../child.ts';
import { compared, type ImagesOptions, photographSize } from '../images.ts';

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

const { data } = given<ImagesOptions>();
mkdirSync(data);
const pathOf = (picture: number, width?: number): string => join(data, `${picture}${width ? `-${width}` : ''}.jpg`);

async function gray(path: string): Promise<GrayPixels> {
  const { width, height } = await sharp(path).metadata();
  const scale = Math.min(1, Math.sqrt(1_000_000 / (width * height)));
  const size = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
  const small = sharp(path, { sequentialRead: true })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w');
  const { data: pixels, info } = await small.raw().toBuffer({ resolveWithObject: true });
  return { data: pixels, width: info.width, height: info.height };
}

async function smaller(path: string, withWebp: boolean): Promise<void> {
  const whole = () => sharp(path, { sequentialRead: true }).autoOrient();
  const before = await gray(path);
  const judge = async (made: string) => {
    if ((await ssim(before, await gray(made))) < 0.95 || statSync(made).size >= statSync(path).size) return;
  };
  await whole().jpeg({ quality: 82, mozjpeg: true }).keepIccProfile().toFile(`${path}-smaller`);
  await judge(`${path}-smaller`);
  if (!withWebp) return;
  await whole().webp({ quality: 75, effort: 4 }).toColourspace('srgb').toFile(`${path}.webp`);
  await judge(`${path}.webp`);
}

offer({
  async prepare() {
    for (let picture = 0; picture < compared; picture++) {
      const body = await drawPhotograph(picture, photographSize.width, photographSize.height);
      writeFileSync(pathOf(picture), body);
      for (const [width, height] of copies)
        await sharp(body).resize({ width, height }).jpeg({ quality: 82 }).toFile(pathOf(picture, width));
    }
  },
  async work() {
    const begun = performance.now();
    for (let picture = 0; picture < compared; picture++) {
      await smaller(pathOf(picture), false);
      for (const [width] of copies) await smaller(pathOf(picture, width), true);
    }
    return { done: compared, milliseconds: performance.now() - begun };
  },
});
