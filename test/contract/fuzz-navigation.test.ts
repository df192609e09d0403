import { shipped } from './checker.ts';
import { hostileArguments, writtenAs } from './fuzzing.ts';

hostileArguments('navigation', (engine) => shipped(engine, 'b'), writtenAs('navigation'));
