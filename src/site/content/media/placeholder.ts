// What stands for a picture until it is there: a few bytes that draw its rough colors, and the color that most of it has.
import { rgbaToThumbHash } from 'thumbhash';

export interface Placeholder {
  /** A ThumbHash, in base64. */
  readonly thumbhash: string;
  /** `#rrggbb` */
  readonly color: string;
}

/** Longest side of the pixels that a placeholder is made of: a ThumbHash takes no more. */
export const placeholderSide = 100;

export interface RgbaPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const placeholderOf = ({ data, width, height }: RgbaPixels): Placeholder => ({
  thumbhash: Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64'),
  color: dominantColor(data),
});

/** A transparent picture would show the color behind it for good. The third byte of a ThumbHash begins with that bit. */
export const isOpaque = ({ thumbhash }: Placeholder): boolean =>
  ((Buffer.from(thumbhash, 'base64')[2] ?? 0x80) & 0x80) === 0;

/** Colors that share the first 4 bits of each channel count as one; the answer is the mean of the most frequent ones. */
function dominantColor(rgba: Uint8Array): string {
  const bins = new Map<number, { weight: number; red: number; green: number; blue: number }>();
  for (let at = 0; at < rgba.length; at += 4) {
    const [red, green, blue, alpha] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!, rgba[at + 3]!];
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const bin = bins.getOrInsertComputed(key, () => ({ weight: 0, red: 0, green: 0, blue: 0 }));
    bin.weight += alpha;
    bin.red += red * alpha;
    bin.green += green * alpha;
    bin.blue += blue * alpha;
  }
  const bin = [...bins.values()].reduce((most, one) => (one.weight > most.weight ? one : most));
  const channels = [bin.red, bin.green, bin.blue].map((sum) => Math.round(sum / Math.max(1, bin.weight)));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
