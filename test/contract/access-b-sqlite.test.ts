import { defaultsOf, whoMay } from './access-matrix.ts';
import { shipped } from './checker.ts';

whoMay('sqlite', 'deployment b', (engine) => shipped(engine, 'b'));
defaultsOf('deployment b', (engine) => shipped(engine, 'b'));
