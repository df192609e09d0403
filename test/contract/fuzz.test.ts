import { shipped } from './checker.ts';
import { hostileArguments, isWritten } from './fuzzing.ts';

hostileArguments(
  'all but what people write',
  (engine) => shipped(engine, 'b'),
  (pattern) => !isWritten(pattern),
);
