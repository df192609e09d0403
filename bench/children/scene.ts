// The picture that is measured with: as many different pixels as a photograph has.
import sharp from 'sharp';

export const photograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 500,
      height: 375,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .resize(4000, 3000, { kernel: 'cubic' })
    .jpeg({ quality: 90 })
    .toBuffer();

/** So many in one round. */
export const many = 4;
