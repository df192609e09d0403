// How much memory a picture takes while it is worked on: what its file weighs says nothing of that.
import type { Metadata } from 'sharp';

type Said = Pick<Metadata, 'format' | 'depth' | 'channels' | 'isProgressive' | 'orientation'>;

/** Bytes of one colour of one pixel. */
export const sampleOf = ({ depth }: Pick<Said, 'depth'>): number => (depth === 'uchar' ? 1 : 2);

/** In bytes; nothing worth counting for a picture that is read line by line. */
export function weightOf(said: Said, pixels: number): number {
  const { format, channels, isProgressive, orientation = 1 } = said;
  const whole = pixels * channels * sampleOf(said);
  const isLines = format === 'jpeg' || format === 'png';
  if (isLines && !isProgressive) return orientation > 1 ? whole : 0;
  if (format === 'gif' || format === 'webp') return pixels * 4;
  // These are held as they are coded, and once more as pixels; those of one kind in several ways on their way from one to the other.
  if (format === 'heif') return 2 * whole + 13 * pixels;
  return format === 'png' ? whole : 2 * whole;
}
