import { whoMay } from './access-matrix.ts';
import { asShipped } from './checker.ts';

for (const name of ['sqlite', 'postgres'] as const) whoMay(name, 'deployment a', asShipped('a'));
