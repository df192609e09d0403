import { hostileInFull, isWrittenAs } from './fuzz-sites.ts';

hostileInFull('pages', { isAsked: isWrittenAs('pages') });
