import { everyKind, hostileInFull } from './fuzz-sites.ts';

hostileInFull('every kind of route', everyKind);
