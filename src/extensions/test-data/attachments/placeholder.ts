// A picture that holds a place: its size in large digits on one colour or two, in a thin frame. It is drawn here, pixel by pixel.
import { setImmediate } from 'node:timers/promises';
import type { Draws } from '#lib/draws.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';

// Digits as grids of squares, five wide and seven high: a machine without any font draws them, and every machine the same.

const drawn: Readonly<Record<string, string>> = {
  '0': '.###. #...# #...# #...# #...# #...# .###.',
  '1': '..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.',
  '2': '.###. #...# ....# ...#. ..#.. .#... #####',
  '3': '##### ...#. ..#.. ...#. ....# #...# .###.',
  '4': '...#. ..##. .#.#. #..#. ##### ...#. ...#.',
  '5': '##### #.... ####. ....# ....# #...# .###.',
  '6': '..##. .#... #.... ####. #...# #...# .###.',
  '7': '##### ....# ...#. ..#.. .#... .#... .#...',
  '8': '.###. #...# #...# .###. #...# #...# .###.',
  '9': '.###. #...# #...# .#### ....# ...#. .##..',
  '×': '..... #...# .#.#. ..#.. .#.#. #...# .....',
};

const grid = { width: 5, height: 7, gap: 1 };

/** Squares in one row that stand side by side, in squares from the corner of the text. */
interface Stroke {
  readonly left: number;
  readonly top: number;
  readonly length: number;
}

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly Stroke[];
}

/** A text of digits and `×`. */
function strokesOf(text: string): Drawn {
  const signs = [...text];
  const strokes = signs.flatMap((sign, nth) =>
    drawn[sign]!.split(' ').flatMap((row, top) =>
      [...row.matchAll(/#+/g)].map(({ index, 0: run }) => ({
        left: nth * (grid.width + grid.gap) + index,
        top,
        length: run.length,
      })),
    ),
  );
  return { width: signs.length * (grid.width + grid.gap) - grid.gap, height: grid.height, strokes };
}

/** Red, green, blue: 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

export interface Colours {
  readonly ground: Colour;
  /** Beside it; the same where there is but one. */
  readonly beside: Colour;
  readonly ink: Colour;
}

/** Pixels one after the other, three bytes each. */
export interface Pixels extends Dimensions {
  readonly data: Buffer<ArrayBuffer>;
}

const black: Colour = [17, 17, 17];
const white: Colour = [255, 255, 255];

/** A dark ground has white ink, a light one black, and what is beside it is darker or lighter still: all of it can be read. */
export function coloursBy(draws: Draws): Colours {
  const isDark = draws.chance(0.5);
  const hue = draws.integer(0, 359);
  const [lightness, further] = isDark ? [draws.integer(18, 26), -8] : [draws.integer(74, 84), 8];
  const ground = colourOf(hue, 0.45, lightness / 100);
  const beside = draws.chance(0.5) ? ground : colourOf(hue + draws.integer(0, 40), 0.45, (lightness + further) / 100);
  return { ground, beside, ink: isDark ? white : black };
}

export const bytesOf = ({ width, height }: Dimensions): number => width * height * 3;

/** So many pixels. */
const atOnce = 2_000_000;

/** `room` is where it is drawn, if that is large enough. */
export async function drawPlaceholder(
  { width, height }: Dimensions,
  draws: Draws,
  room: Buffer<ArrayBuffer> = Buffer.alloc(0),
): Promise<Pixels> {
  const { ground, beside, ink } = coloursBy(draws);
  const bytes = bytesOf({ width, height });
  const data = room.length < bytes ? Buffer.allocUnsafeSlow(bytes) : room.subarray(0, bytes);
  const picture: Pixels = { width, height, data };
  // Where the one colour ends and the other begins, above and below.
  const [above, below] = [draws.integer(0, width), draws.integer(0, width)];
  const rows = { ground: rowOf(width, ground), beside: rowOf(width, beside), ink: rowOf(width, ink) };
  const piece = Math.ceil(atOnce / width);
  for (let y = 0; y < height; y++) {
    if (y > 0 && y % piece === 0) await setImmediate();
    const edge = Math.round(above + ((below - above) * y) / height);
    paint(picture, rows.ground, { left: 0, top: y, length: edge });
    paint(picture, rows.beside, { left: edge, top: y, length: width - edge });
  }
  frame(picture, rows.ink);
  write(picture, rows.ink);
  return picture;
}

/** `hue` in degrees, the others from 0 to 1. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (turned: number): number => {
    const at = (turned + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
}

const rowOf = (width: number, colour: Colour): Buffer => Buffer.alloc(width * 3, Buffer.from(colour));

interface Line {
  readonly left: number;
  readonly top: number;
  readonly length: number;
}

const paint = ({ width, data }: Pixels, row: Buffer, { left, top, length }: Line): void => {
  row.copy(data, (top * width + left) * 3, 0, length * 3);
};

function frame(picture: Pixels, row: Buffer): void {
  const { width, height } = picture;
  const thick = Math.max(1, Math.round(Math.min(width, height) / 200));
  for (let y = 0; y < height; y++) {
    const isEdge = y < thick || y >= height - thick;
    paint(picture, row, { left: 0, top: y, length: isEdge ? width : thick });
    if (!isEdge) paint(picture, row, { left: width - thick, top: y, length: thick });
  }
}

/** In the middle, as large as two thirds of the width and a third of the height allow. */
function write(picture: Pixels, row: Buffer): void {
  const { width, height } = picture;
  const text = strokesOf(`${width}×${height}`);
  const side = Math.max(1, Math.floor(Math.min((width * 2) / 3 / text.width, height / 3 / text.height)));
  const from = {
    left: Math.floor((width - text.width * side) / 2),
    top: Math.floor((height - text.height * side) / 2),
  };
  for (const stroke of text.strokes)
    for (let y = 0; y < side; y++)
      paint(picture, row, {
        left: from.left + stroke.left * side,
        top: from.top + stroke.top * side + y,
        length: stroke.length * side,
      });
}
