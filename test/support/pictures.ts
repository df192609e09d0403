// Pictures that tests make: of any size, and of every odd kind.
import sharp from 'sharp';

export const picture = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff' = 'jpeg',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
    .toFormat(format)
    .toBuffer();

/** With every pixel another, so that its bytes are many. */
export const noisy = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg()
    .toBuffer();

/** Like a photo: soft shapes in many colors with a little grain, saved larger than need be, and with what the camera wrote. */
export async function photo(width: number, height: number, format: 'jpeg' | 'png', alpha = 255): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 4, alpha);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const grain = (Math.imul(at, 2_654_435_761) >>> 16) % 7;
    data[at * 4] = 128 + 90 * Math.sin(x / 23) + grain;
    data[at * 4 + 1] = 128 + 90 * Math.sin(y / 31 + x / 90) + grain;
    data[at * 4 + 2] = 128 + 90 * Math.cos((x + y) / 57) + grain;
  }
  const drawn = sharp(data, { raw: { width, height, channels: 4 } });
  if (format === 'png') return drawn.png({ compressionLevel: 1 }).toBuffer();
  const exif = { IFD0: { Model: 'Camera of a family' }, IFD3: { GPSLatitudeRef: 'N' } };
  return drawn.jpeg({ quality: 95 }).withExif(exif).toBuffer();
}

/** Four quarters, each of its colour: red and green above, blue and yellow below. */
export const quartered = (width: number, height: number, format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg') => {
  const quarter = (background: string, left: number, top: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background } },
    left: left * (width / 2),
    top: top * (height / 2),
  });
  const [red, green] = [quarter('#ff0000', 0, 0), quarter('#00ff00', 1, 0)];
  const [blue, yellow] = [quarter('#0000ff', 0, 1), quarter('#ffff00', 1, 1)];
  return sharp({ create: { width, height, channels: 3, background: '#000000' } })
    .composite([red, green, blue, yellow])
    .toFormat(format)
    .toBuffer();
};

/** Lying on its side, as the camera was held, and telling so. */
export const lying = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
    .jpeg()
    .withExif({ IFD0: { Model: 'Camera', Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** So many pictures, one after the other. */
export const moving = async (frames: number, side = 400): Promise<Buffer> => {
  const raw = Buffer.alloc(side * side * frames * 3, 90);
  for (let frame = 0; frame < frames; frame++)
    raw.fill(frame * 8, frame * side * side * 3, (frame + 1) * side * side * 3);
  return sharp(raw, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ delay: 50 })
    .toBuffer();
};

/** A file of a few bytes that claims to be this large; `deep`, with two bytes a colour, and to be held whole to be read. */
export function bomb(width: number, height: number, { deep = false } = {}): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080000000000000000', 'hex');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  if (deep) header.set([16, 6, 0, 0, 1], 24);
  header.writeUInt32BE(crc(header.subarray(12, 29)), 29);
  const end = Buffer.from('0000000049454e44ae426082', 'hex');
  const data = Buffer.from('0000000a49444154789c6360000000020001', 'hex');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(data.subarray(4)));
  return Buffer.concat([header, data, sum, end]);
}

function crc(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
