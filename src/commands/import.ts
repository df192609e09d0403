// The commands that move the content of another site in: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as site } from './import/site.ts';
import { command as wxr } from './import/wxr.ts';

export const command: Family = {
  name: 'import',
  about: 'Moves in from another site. These commands work on the data of this one, whether it is serving or not.',
  members: [
    { name: 'wxr', summary: 'Move in what an export file holds', command: wxr },
    { name: 'site', summary: 'Move in from a site that is running, by its interface', command: site },
  ],
};
