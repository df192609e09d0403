import { shipped } from './checker.ts';
import { hostileArguments, isOfCore } from './fuzzing.ts';

hostileArguments(
  'all but the core',
  (engine) => shipped(engine, 'b'),
  (pattern) => !isOfCore(pattern),
);
