import { shipped } from './checker.ts';
import { hostileArguments, writtenAs } from './fuzzing.ts';

hostileArguments('posts', (engine) => shipped(engine, 'b'), writtenAs('posts'));
