import { hostileInFull, isOfCore, isWrittenAs, written } from './fuzz-sites.ts';

hostileInFull('all of the core but posts and what is kept like them', {
  isAsked: (pattern) => isOfCore(pattern) && !written.some((base) => isWrittenAs(base)(pattern)),
});
