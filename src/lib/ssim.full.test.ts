// How far our similarity is from that of ssim.js, which computes it as Wang et al. did, with Gaussian windows of 11 × 11 pixels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { ssim as reference } from 'ssim.js';
import { noisy, photo, quartered } from '#test/pictures.ts';
import { ssim } from './ssim.ts';

const [width, height] = [320, 240];
const gray = (bytes: Buffer) => sharp(bytes).toColourspace('b-w').raw().toBuffer();
const wide = (data: Buffer): Uint8ClampedArray<ArrayBuffer> => {
  const rgba = new Uint8ClampedArray(data.length * 4);
  for (let at = 0; at < data.length; at++) rgba.set([data[at]!, data[at]!, data[at]!, 255], at * 4);
  return rgba;
};

test('The similarity of pictures agrees with the reference', async () => {
  const sources = {
    photo: await photo(width, height, 'png'),
    flat: await quartered(width, height, 'png'),
    soft: await sharp(await noisy(width, height))
      .blur(3)
      .png()
      .toBuffer(),
  };
  const rows: { name: string; quality: number; ours: number; theirs: number }[] = [];
  for (const [name, source] of Object.entries(sources))
    for (const quality of [95, 82, 70, 50, 30, 10]) {
      const [one, other] = [await gray(source), await gray(await sharp(source).jpeg({ quality }).toBuffer())];
      const ours = await ssim({ data: one, width, height }, { data: other, width, height });
      const image = (data: Buffer) => ({ data: wide(data), width, height });
      const how = { ssim: 'original', downsample: false, rgb2grayVersion: 'integer' } as const;
      rows.push({ name, quality, ours, theirs: reference(image(one), image(other), how).mssim });
    }
  console.table(rows);
  // It may be stricter. Where results are kept, it is not milder.
  const far = rows.filter(({ ours, theirs }) => ours - theirs > (theirs >= 0.9 ? 0.005 : 0.02) || theirs - ours > 0.03);
  assert.deepEqual(far, []);
});
