// How alike two gray pictures look, by the structural similarity index of Wang et al. (2004). The mean is taken over windows of 8 × 8
// pixels that lie 4 apart, as video encoders do it, because sums of integers are many times faster than Gaussian weights. ssim.full.test.ts
// says how far that is from the reference.
import { setImmediate as yieldToOthers } from 'node:timers/promises';

export interface GrayPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const c1 = (0.01 * 255) ** 2;
const c2 = (0.03 * 255) ** 2;
const step = 4;
/** Pixels of one window. */
const count = 64;
/** Rows of windows that are compared before other work runs. */
const rowsAtOnce = 24;

/** 1 for the same picture. Pictures smaller than a window are compared pixel by pixel. */
export async function ssim(one: GrayPixels, other: GrayPixels): Promise<number> {
  const { width, height } = one;
  if (other.width !== width || other.height !== height)
    throw new Error('Only pictures of the same size can be compared.');
  if (width < 2 * step || height < 2 * step) return similarityOf(wholeSums(one.data, other.data));
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  let above = blockSums(one, other, 0, columns);
  let total = 0;
  for (let row = 1; row < rows; row++) {
    const here = blockSums(one, other, row, columns);
    total += rowOf(above, here, columns);
    above = here;
    if (row % rowsAtOnce === 0) await yieldToOthers();
  }
  return total / ((columns - 1) * (rows - 1));
}

/** Of each block of 4 × 4: the sums of both, of the squares of both together, and of the products. */
function blockSums(one: GrayPixels, other: GrayPixels, row: number, columns: number): Int32Array {
  const sums = new Int32Array(columns * 4);
  const [a, b] = [one.data, other.data];
  for (let y = row * step; y < (row + 1) * step; y++) {
    const line = y * one.width;
    for (let x = 0; x < columns * step; x++) {
      const [p, q] = [a[line + x]!, b[line + x]!];
      const at = (x >> 2) * 4;
      sums[at]! += p;
      sums[at + 1]! += q;
      sums[at + 2]! += p * p + q * q;
      sums[at + 3]! += p * q;
    }
  }
  return sums;
}

/** The sum of the similarities of the windows that two rows of blocks make. */
function rowOf(above: Int32Array, below: Int32Array, columns: number): number {
  let total = 0;
  for (let at = 0; at < (columns - 1) * 4; at += 4) {
    const sum = (of: number): number => above[at + of]! + above[at + 4 + of]! + below[at + of]! + below[at + 4 + of]!;
    total += similarityOf({ a: sum(0), b: sum(1), squares: sum(2), products: sum(3), pixels: count });
  }
  return total;
}

interface Sums {
  readonly a: number;
  readonly b: number;
  readonly squares: number;
  readonly products: number;
  readonly pixels: number;
}

function wholeSums(one: Uint8Array, other: Uint8Array): Sums {
  let [a, b, squares, products] = [0, 0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [p, q] = [one[at]!, other[at]!];
    a += p;
    b += q;
    squares += p * p + q * q;
    products += p * q;
  }
  return { a, b, squares, products, pixels: one.length };
}

function similarityOf({ a, b, squares, products, pixels }: Sums): number {
  const [meanA, meanB] = [a / pixels, b / pixels];
  const variances = Math.max(0, squares / pixels - meanA * meanA - meanB * meanB);
  const covariance = products / pixels - meanA * meanB;
  const luminance = (2 * meanA * meanB + c1) / (meanA * meanA + meanB * meanB + c1);
  return (luminance * (2 * covariance + c2)) / (variances + c2);
}
