import { withProbe } from '#test/probe.ts';
import { whoMay } from './access-matrix.ts';
import { asShipped } from './checker.ts';

whoMay('postgres', 'deployment b', asShipped('b'));
whoMay('postgres', 'every kind of route', withProbe());
