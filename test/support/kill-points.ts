// Moments at which tests kill: other ones in each run, and the same again for a seed.

/** Numbers from 0 to 1. The seed is printed, and `GATEHOUSE_TEST_SEED` gives one. */
export function killPoints(): () => number {
  const given = Number(process.env.GATEHOUSE_TEST_SEED);
  const seed = Number.isInteger(given) && given > 0 ? given : Math.ceil(Math.random() * 2 ** 31);
  console.log(`Kill points of GATEHOUSE_TEST_SEED=${seed}`);
  let state = seed;
  // The generator "mulberry32".
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
