import { hostileInFull, hub } from './fuzz-sites.ts';

hostileInFull('a hub', hub);
