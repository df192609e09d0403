// The commands about settings: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as list } from './settings/list.ts';
import { command as reset } from './settings/reset.ts';
import { command as set } from './settings/set.ts';
import { command as show } from './settings/show.ts';

export const command: Family = {
  name: 'settings',
  about:
    'What the site and its extensions are set to. These commands work on its data; a site that serves knows within a second.',
  members: [
    { name: 'list', summary: 'List the groups, and what differs from the defaults', command: list },
    { name: 'show', summary: 'Show a group, or one setting alone', command: show },
    { name: 'set', summary: 'Change a setting', command: set },
    { name: 'reset', summary: 'Go back to the default of a setting, or of a whole group', command: reset },
  ],
};
