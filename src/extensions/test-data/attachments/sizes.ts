// How large a picture is to be: as it is asked for, or somewhere between two ends.
import type { Draws } from '#lib/draws.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import { invalid } from '#site/identity/users/faults.ts';

export interface Ends {
  readonly min?: number;
  readonly max?: number;
}

interface AskedSize {
  readonly width?: number | Ends | undefined;
  readonly height?: number | Ends | undefined;
  /** Width through height, where nobody says how high. */
  readonly aspect_ratio: number;
}

type Range = readonly [least: number, most: number];

/** In pixels, each side: so none has more than 25 megapixels. */
const bounds: Range = [50, 5_000];
const usual: Range = [200, 1_200];

/** Throws what is too large or too small to be drawn. */
export function sizeAsked({ width, height, aspect_ratio: ratio }: AskedSize): (draws: Draws) => Dimensions {
  const wide = rangeOf('width', width) ?? usual;
  const high = rangeOf('height', height);
  if (high !== undefined) return (draws) => ({ width: draws.integer(...wide), height: draws.integer(...high) });
  const fitting = fittingTo(wide, ratio);
  return (draws) => {
    const drawn = draws.integer(...fitting);
    return { width: drawn, height: Math.max(bounds[0], Math.round(drawn / ratio)) };
  };
}

function rangeOf(side: 'width' | 'height', said: number | Ends | undefined): Range | undefined {
  if (said === undefined) return undefined;
  const ends = typeof said === 'number' ? { min: said, max: said } : said;
  const least = ends.min ?? Math.min(usual[0], ends.max ?? usual[0]);
  const most = Math.max(least, ends.max ?? usual[1]);
  if (least < bounds[0] || most > bounds[1]) throw refused(side, `${side} must be from ${bounds.join(' to ')} pixels.`);
  return [least, most];
}

/** Those widths of which the height is not too large. */
function fittingTo([least, most]: Range, ratio: number): Range {
  const widest = Math.floor(bounds[1] * ratio);
  if (least <= widest) return [least, Math.min(most, widest)];
  throw refused('aspect_ratio', `With that aspect_ratio, every picture would be higher than ${bounds[1]} pixels.`);
}

const refused = (param: string, message: string) => invalid(param, { code: 'rest_out_of_bounds', message });
