// The commands about extensions: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as activate } from './extension/activate.ts';
import { command as deactivate } from './extension/deactivate.ts';
import { command as install } from './extension/install.ts';
import { command as list } from './extension/list.ts';
import { command as begin } from './extension/new.ts';
import { command as pack } from './extension/pack.ts';
import { command as remove } from './extension/remove.ts';
import { command as sign } from './extension/sign.ts';
import { command as update } from './extension/update.ts';

export const command: Family = {
  name: 'extension',
  about:
    'The extensions of the site, whether it is serving or not. For authors: making packages, and signing what sites may install.',
  members: [
    { name: 'new', summary: 'Begin an extension of your own', command: begin },
    { name: 'list', summary: 'List the extensions of the site', command: list },
    { name: 'install', summary: 'Fetch an extension of the catalogue', command: install },
    { name: 'update', summary: 'Bring an extension to the version of the catalogue', command: update },
    { name: 'activate', summary: 'Switch an extension on', command: activate },
    { name: 'deactivate', summary: 'Switch an extension off', command: deactivate },
    { name: 'remove', summary: 'Remove an extension that was installed', command: remove },
    { name: 'pack', summary: 'Make a package of a folder', command: pack },
    { name: 'sign', summary: 'Sign packages and list them in a catalogue', command: sign },
  ],
};
