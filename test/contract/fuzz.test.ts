import { shipped } from './checker.ts';
import { hostileArguments, isOfCore, written, writtenAs } from './fuzzing.ts';

hostileArguments(
  'all of the core but what people write',
  (engine) => shipped(engine, 'b'),
  (pattern) => isOfCore(pattern) && !written.some((base) => writtenAs(base)(pattern)),
);
