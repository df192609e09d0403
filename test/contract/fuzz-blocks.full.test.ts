import { hostileInFull, isWrittenAs } from './fuzz-sites.ts';

hostileInFull('blocks', { isAsked: isWrittenAs('blocks') });
