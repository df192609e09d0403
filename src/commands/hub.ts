// The commands about a hub: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as add } from './hub/add.ts';
import { command as list } from './hub/list.ts';
import { pause, resume } from './hub/membership.ts';
import { command as remove } from './hub/remove.ts';
import { command as serve } from './hub/serve.ts';

export const command: Family = {
  name: 'hub',
  about:
    'A hub: several sites tell it twice a day how they are, and it shows them in one table. It is a site of its own, with a data folder of its own.',
  members: [
    { name: 'serve', summary: 'Serve the hub', command: serve },
    { name: 'add', summary: 'Add a site, and make the key that it signs with', command: add },
    { name: 'list', summary: 'List the sites and how they are', command: list },
    { name: 'pause', summary: 'Keep nothing of a site for now', command: pause },
    { name: 'resume', summary: 'Look after a site again that is paused', command: resume },
    { name: 'remove', summary: 'Forget a site, and its key with it', command: remove },
  ],
};
