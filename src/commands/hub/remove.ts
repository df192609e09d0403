import { printable } from '#lib/printable.ts';
import { flagNames } from '../../config.ts';
import type { Command } from '../command.ts';
import { consentOf, yes } from '../consent.ts';
import { inHub, named, nameWord, usual } from './house.ts';

export const command: Command = {
  name: 'hub remove',
  about: 'Forgets a site and all that it told. Its key opens nothing any more.',
  settings: flagNames,
  usual,
  words: [nameWord],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask);
    return inHub(ask, async (sites) => {
      const site = await named(ask, sites);
      await consent(`Forget ${printable(site.name)}, all that it told, and its key?`);
      await sites.erase(site.id, {});
      ask.out(`${site.name} is forgotten, and its key opens nothing any more.`);
      ask.note('Take the two lines out of the environment of that site as well; "gatehouse hub add" makes a new key.');
    });
  },
};
