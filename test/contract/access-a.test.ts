import { defaultsOf, whoMay } from './access-matrix.ts';
import { shipped } from './checker.ts';

whoMay('deployment a', (engine) => shipped(engine, 'a'));
defaultsOf('deployment a', (engine) => shipped(engine, 'a'));
