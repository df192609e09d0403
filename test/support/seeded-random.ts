// Numbers that tests draw at random. The seed is printed, and GATEHOUSE_TEST_SEED in the environment repeats it.
import { randomInt } from 'node:crypto';

/** Draws numbers from 0 to 1, the same again for the same seed. */
export function seededRandom(): () => number {
  const given = process.env.GATEHOUSE_TEST_SEED;
  let state = given === undefined ? randomInt(2 ** 32) : Number(given);
  console.log(`Random numbers with GATEHOUSE_TEST_SEED=${state}`);
  // The generator mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
