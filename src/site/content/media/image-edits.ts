// Rotates, flips and crops pictures, one change after another.
import { unlink } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { sharp } from './libvips.ts';
import type { Edit } from './media.ts';
import { Malformed, OutOfTime, pictureLimits } from './picture-errors.ts';
import type { Dimensions } from './sizes.ts';

export type Step = 'read' | 'rotate' | 'flip' | 'crop';

/** The picture cannot be read, or one of the changes is not possible. */
export class Unedited extends Error {
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    super(`This step failed: ${step}.`, { cause });
    this.step = step;
  }
}

const turn = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** Whether the edit changes anything. */
export function isChange({ rotate, flip, crop }: Edit): boolean {
  if (rotate !== undefined) return turn(rotate) !== 0;
  if (flip !== undefined) return flip.horizontal || flip.vertical;
  return crop !== undefined && !(crop.left <= 0 && crop.top <= 0 && crop.width >= 100 && crop.height >= 100);
}

/** Whether the edit would leave nothing of the picture. */
export const isEmpty = ({ crop }: Edit): boolean =>
  crop !== undefined && (crop.width <= 0 || crop.height <= 0 || crop.left >= 100 || crop.top >= 100);

export interface Editing {
  readonly edits: readonly Edit[];
  readonly to: string;
  /** What a turned picture shows in its corners. */
  readonly behind: { readonly r: number; readonly g: number; readonly b: number; readonly alpha: number };
  /** As it comes from its file, upright. */
  opened(): Sharp;
  /** In the format it is kept in. */
  encoded(picture: Sharp): Sharp;
  /** Throws what `picture-errors.ts` names. */
  written(picture: Sharp, to: string): Promise<Dimensions>;
}

/** Sharp has an order of its own, so each change is a picture of its own. */
export async function edited({ edits, to, behind, opened, encoded, written }: Editing): Promise<void> {
  const between: string[] = [];
  let step: Step = 'read';
  try {
    let picture = opened();
    for (const [at, edit] of edits.entries()) {
      const path = `${to}-${at}`;
      between.push(path);
      const size = await written(picture.png({ compressionLevel: 1 }), path);
      step = stepOf(edit);
      picture = changed(sharp(path, { limitInputPixels: pictureLimits.pixels }), size, edit, behind);
    }
    await written(encoded(picture), to);
  } catch (error) {
    throw error instanceof Malformed || error instanceof OutOfTime ? new Unedited(step, error) : error;
  } finally {
    for (const path of between) await unlink(path).catch(() => {});
  }
}

/** How large the picture is after each of these, told before any of it is made. */
export function sizesAfter(size: Dimensions, edits: readonly Edit[]): Dimensions[] {
  let now = size;
  return edits.map((edit) => {
    now = sizeAfter(now, edit);
    return now;
  });
}

function sizeAfter(size: Dimensions, { rotate, crop }: Edit): Dimensions {
  if (crop !== undefined) return partOf(size, crop);
  if (rotate === undefined) return size;
  const angle = (rotate * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const { width, height } = size;
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) };
}

function stepOf({ rotate, flip }: Edit): Step {
  if (rotate !== undefined) return 'rotate';
  return flip === undefined ? 'crop' : 'flip';
}

function changed(picture: Sharp, size: Dimensions, edit: Edit, background: Editing['behind']): Sharp {
  const { rotate, flip, crop } = edit;
  if (rotate !== undefined) return picture.rotate(turn(rotate), { background });
  if (flip !== undefined) return picture.flip(flip.vertical).flop(flip.horizontal);
  return crop === undefined ? picture : picture.extract(partOf(size, crop));
}

function partOf({ width, height }: Dimensions, crop: NonNullable<Edit['crop']>) {
  const part = (percent: number, whole: number) => Math.round((percent * whole) / 100);
  const left = Math.min(part(crop.left, width), width - 1);
  const top = Math.min(part(crop.top, height), height - 1);
  return {
    left,
    top,
    width: Math.max(1, Math.min(part(crop.width, width), width - left)),
    height: Math.max(1, Math.min(part(crop.height, height), height - top)),
  };
}
