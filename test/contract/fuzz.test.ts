import { shipped } from './checker.ts';
import { hostileArguments, written, writtenAs } from './fuzzing.ts';

hostileArguments(
  'all but what people write',
  (engine) => shipped(engine, 'b'),
  (pattern) => !written.some((base) => writtenAs(base)(pattern)),
);
