import { hostileInFull, isWrittenAs } from './fuzz-sites.ts';

hostileInFull('navigation', { isAsked: isWrittenAs('navigation') });
