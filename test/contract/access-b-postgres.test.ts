import { whoMay } from './access-matrix.ts';
import { shipped } from './checker.ts';

whoMay('postgres', 'deployment b', (engine) => shipped(engine, 'b'));
