import { defaultsOf, whoMay } from './access-matrix.ts';
import { shipped } from './checker.ts';

whoMay('sqlite', 'deployment a', (engine) => shipped(engine, 'a'));
defaultsOf('deployment a', (engine) => shipped(engine, 'a'));
