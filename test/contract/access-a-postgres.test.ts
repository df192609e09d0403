import { whoMay } from './access-matrix.ts';
import { shipped } from './checker.ts';

whoMay('postgres', 'deployment a', (engine) => shipped(engine, 'a'));
