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
export interface Stroke {
  readonly left: number;
  readonly top: number;
  readonly length: number;
}

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly Stroke[];
}

/** A text of digits and `×`. */
export function strokesOf(text: string): Drawn {
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
