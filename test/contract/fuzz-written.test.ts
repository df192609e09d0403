import { shipped } from './checker.ts';
import { hostileArguments, isWritten } from './fuzzing.ts';

hostileArguments('what people write', (engine) => shipped(engine, 'b'), isWritten);
