import { shipped } from './checker.ts';
import { hostileArguments, writtenAs } from './fuzzing.ts';

hostileArguments('blocks', (engine) => shipped(engine, 'b'), writtenAs('blocks'));
