import { hostileInFull, isWrittenAs } from './fuzz-sites.ts';

hostileInFull('posts', { isAsked: isWrittenAs('posts') });
