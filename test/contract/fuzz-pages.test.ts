import { shipped } from './checker.ts';
import { hostileArguments, writtenAs } from './fuzzing.ts';

hostileArguments('pages', (engine) => shipped(engine, 'b'), writtenAs('pages'));
