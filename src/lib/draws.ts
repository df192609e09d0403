// Chance that can be had again: the same seed draws the same, on every machine and whatever else was drawn.
import { hash } from 'node:crypto';

export interface Draws {
  /** At least 0, less than 1. */
  number(): number;
  /** Both ends may be drawn. */
  integer(min: number, max: number): number;
  /** Whether something happens that does so often: 0 is never, 1 is always. */
  chance(often: number): boolean;
  /** Of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** Different places of the list, in an order that is drawn; all of them where fewer are there. */
  picks<T>(list: readonly T[], howMany: number): T[];
}

export function drawsOf(...seed: readonly (string | number)[]): Draws {
  const next = generatorOf(hash('sha256', JSON.stringify(seed), 'buffer'));
  const number = (): number => next() / 2 ** 32;
  const integer = (min: number, max: number): number => min + Math.floor(number() * (max - min + 1));
  return {
    number,
    integer,
    chance: (often) => number() < often,
    pick: (list) => list[integer(0, list.length - 1)]!,
    picks(list, howMany) {
      const left = [...list];
      const most = Math.min(howMany, left.length);
      return Array.from({ length: most }, () => left.splice(integer(0, left.length - 1), 1)[0]!);
    },
  };
}

/** sfc32, a small generator with 128 bits of state: whole numbers below 2 ** 32. */
function generatorOf(seed: Buffer): () => number {
  let a = seed.readUInt32LE(0);
  let b = seed.readUInt32LE(4);
  let c = seed.readUInt32LE(8);
  let counter = seed.readUInt32LE(12);
  return () => {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + drawn;
    return drawn >>> 0;
  };
}
