// Photographs that are drawn: details of every size, as much of each, with a little grain. Each number draws another.
import sharp from 'sharp';

/** Cells of a side of the coarsest detail, and how strong each detail is, from coarse to fine. */
const coarsest = 6;
const strengths = [46, 34, 26, 20, 15, 11, 8, 5, 3] as const;
const grain = 3;

export async function drawPhotograph(number: number, width: number, height: number): Promise<Buffer> {
  const draw = draws(number + 1);
  const light = new Float32Array(width * height).fill(118);
  for (const [at, strength] of strengths.entries()) {
    const cells = coarsest * 2 ** at;
    const layer = await enlarged(draw, { width: Math.min(cells * 2, width), height: cells }, { width, height });
    for (let pixel = 0; pixel < light.length; pixel++) light[pixel]! += ((layer[pixel]! - 128) * strength) / 64;
  }
  const [warm, cold] = [
    await enlarged(draw, { width: 24, height: 16 }, { width, height }),
    await enlarged(draw, { width: 90, height: 60 }, { width, height }),
  ];
  const data = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < light.length; pixel++) {
    const [noise, red, blue] = [(draw() - 0.5) * 2 * grain, (warm[pixel]! - 128) / 4, (cold[pixel]! - 128) / 6];
    data[pixel * 3] = bounded(light[pixel]! + noise + red);
    data[pixel * 3 + 1] = bounded(light[pixel]! + noise);
    data[pixel * 3 + 2] = bounded(light[pixel]! + noise - red + blue);
  }
  const drawn = sharp(data, { raw: { width, height, channels: 3 } });
  const exif = { IFD0: { Model: 'A camera' }, IFD3: { GPSLatitudeRef: 'N' } };
  return drawn.jpeg({ quality: 95 }).withExif(exif).toBuffer();
}

const bounded = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

interface Size {
  readonly width: number;
  readonly height: number;
}

async function enlarged(draw: () => number, cells: Size, size: Size): Promise<Uint8Array> {
  const small = Buffer.from(Array.from({ length: cells.width * cells.height }, () => draw() * 255));
  const raw = { ...cells, channels: 1 } as const;
  return sharp(small, { raw })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

/** Between 0 and 1, the same for the same seed. */
function draws(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
