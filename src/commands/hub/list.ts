import { printable, printableJson } from '#lib/printable.ts';
import { flagNames } from '../../config.ts';
import type { Site } from '../../extensions/hub/site.ts';
import type { Sites } from '../../extensions/hub/sites.ts';
import { type Command, json } from '../command.ts';
import { aligned } from '../table.ts';
import { inHub, usual } from './house.ts';

/** A hub has no more; it is read in one piece. */
const most = 1_000;

const heads = ['NAME', 'ADDRESS', 'VERSION', 'HEALTH', 'LAST WORD', ''];

const stateOf = ({ membership, is_silent }: Site): string => {
  if (membership === 'paused') return 'paused';
  return is_silent ? 'silent for too long' : '';
};

const cells = (site: Site): string[] =>
  [
    site.name,
    site.address ?? '',
    site.version ?? '',
    site.health ?? 'not known',
    site.synced_at === null ? 'never' : `${site.synced_at.slice(0, 16).replace('T', ' ')} UTC`,
    stateOf(site),
  ].map(printable);

const all = async (sites: Sites): Promise<readonly Site[]> => (await sites.list({ limit: most, offset: 0 })).items;

export const command: Command = {
  name: 'hub list',
  about: 'Lists the sites that this hub looks after, by their names, and how they are.',
  settings: flagNames,
  usual,
  options: { json },
  run: (ask) =>
    inHub(ask, async (sites) => {
      const items = await all(sites);
      if (ask.options.json !== undefined) return ask.out(printableJson(items));
      if (items.length === 0) return ask.note('There is no site yet; "gatehouse hub add NAME" adds one.');
      for (const line of aligned([heads, ...items.map(cells)])) ask.out(line);
      const { silent } = await sites.tally();
      if (silent > 0) ask.note(`Sent no word for 36 hours: ${silent} of ${items.length}. Look whether they run.`);
    }),
};
