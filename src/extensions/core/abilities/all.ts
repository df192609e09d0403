// What programs may have this namespace do, by name: the same as by its routes, with the same rights.
import type { Toolkit } from '#site/extension.ts';
import type { Offer } from '#site/hooks/abilities/ability.ts';
import type { Core } from '../core.ts';
import { creating, finding, moderating, unusedMedia } from './content.ts';
import { publishing, trashing } from './publishing.ts';
import { environment, siteInfo, userInfo } from './site.ts';

export const abilities = (tools: Toolkit<Core>): Offer<Core> => ({
  offered: [
    siteInfo(tools),
    userInfo(tools),
    environment(tools),
    finding(tools),
    creating(tools),
    publishing(tools),
    trashing(tools),
    moderating(tools),
    unusedMedia(tools),
  ],
});
