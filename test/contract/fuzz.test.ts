// A few requests made up for every route; the fuzz-*.full.test.ts files try many more.
import { asShipped } from './checker.ts';
import { everyKind, hub } from './fuzz-sites.ts';
import { hostileArguments } from './fuzzing.ts';

const runs = 2;

hostileArguments('sqlite', 'deployment b', { site: asShipped('b'), runs });
hostileArguments('sqlite', 'a hub', { ...hub, runs });
hostileArguments('sqlite', 'every kind of route', { ...everyKind, runs, isAtWorst: true });
