import { hostileInFull, isOfCore } from './fuzz-sites.ts';

hostileInFull('all but the core', { isAsked: (pattern) => !isOfCore(pattern) });
