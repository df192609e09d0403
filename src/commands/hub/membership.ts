import { flagNames } from '../../config.ts';
import type { Membership } from '../../extensions/hub/site.ts';
import type { Command } from '../command.ts';
import { inHub, named, nameWord, usual } from './house.ts';

const joining = (name: string, about: string, membership: Membership, told: (site: string) => string): Command => ({
  name,
  about,
  settings: flagNames,
  usual,
  words: [nameWord],
  run: (ask) =>
    inHub(ask, async (sites) => {
      const site = await named(ask, sites);
      await sites.join(site.id, membership, {});
      ask.out(told(site.name));
    }),
});

export const pause = joining(
  'hub pause',
  'Keeps nothing of what a site tells, and does not mind that it is silent, until "gatehouse hub resume".',
  'paused',
  (site) => `${site} is paused. What it told before stays in the table; go on with "gatehouse hub resume".`,
);

export const resume = joining(
  'hub resume',
  'Looks after a site again that was paused.',
  'full',
  (site) => `${site} is looked after again; what it tells next is shown.`,
);
