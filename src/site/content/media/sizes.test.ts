import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtInSizes as sizes } from '#lib/image-sizes.ts';
import { sizedDimensions } from './sizes.ts';

const named = (label: string) => sizes.find((size) => size.label === label)!;
const fit = (side: number) => ({ label: '', width: side, height: side, crop: false });
const crop = (width: number, height: number) => ({ label: '', width, height, crop: true });
const photo = { width: 1920, height: 1080 };

const cases = [
  [photo, named('thumbnail'), '150x150'],
  [photo, named('medium'), '300x169'],
  [photo, named('medium_large'), '768x432'],
  [photo, named('large'), '1024x576'],
  [photo, named('1536x1536'), '1536x864'],
  [photo, named('2048x2048'), undefined],
  [photo, fit(100), '100x56'],
  [photo, fit(350), '350x197'],
  [photo, fit(500), '500x281'],
  [photo, fit(1500), '1500x844'],
  [{ width: 400, height: 300 }, named('medium'), '300x225'],
  [{ width: 300, height: 400 }, named('medium'), '225x300'],
  [{ width: 200, height: 150 }, named('thumbnail'), '150x150'],
  [{ width: 200, height: 100 }, named('thumbnail'), '150x100'],
  [{ width: 150, height: 150 }, named('thumbnail'), undefined],
  [{ width: 151, height: 151 }, named('thumbnail'), undefined],
  [{ width: 152, height: 150 }, named('thumbnail'), '150x150'],
  [{ width: 300, height: 2 }, named('medium'), undefined],
  [{ width: 10_000, height: 1 }, named('medium'), '300x1'],
  [{ width: 0, height: 100 }, named('medium'), undefined],
  [photo, crop(200, 0), '200x113'],
  [photo, crop(0, 200), '356x200'],
] as const;

describe('A copy of a picture', () => {
  for (const [{ width, height }, size, expected] of cases) {
    const wanted = `${size.width}×${size.height}${size.crop ? ', cropped' : ''}`;
    test(`of ${width}×${height} at ${wanted} is ${expected ?? 'not made'}`, () => {
      const sized = sizedDimensions({ width, height }, size);
      assert.equal(sized && `${sized.width}x${sized.height}`, expected);
    });
  }
});
