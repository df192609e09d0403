// Import this beside fast-check: the quick test run tries the same cases every time. The full run draws new ones, and fast-check prints
// the seed of a case that fails.
import fc from 'fast-check';

if (process.env.GATEHOUSE_TEST_FULL === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120 });
