// The commands about people: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as create } from './user/create.ts';
import { command as remove } from './user/delete.ts';
import { command as list } from './user/list.ts';
import { command as setEmail } from './user/set-email.ts';
import { command as setPassword } from './user/set-password.ts';
import { command as setRole } from './user/set-role.ts';
import { command as show } from './user/show.ts';

export const command: Family = {
  name: 'user',
  about: 'The people of the site. These commands work on its data, whether it is serving or not.',
  members: [
    { name: 'create', summary: 'Add somebody', command: create },
    { name: 'list', summary: 'List everybody, or those with a role', command: list },
    { name: 'show', summary: 'Show what is known of somebody', command: show },
    { name: 'set-password', summary: 'Set a new password; also when the old one is lost', command: setPassword },
    { name: 'set-email', summary: 'Give somebody another email address', command: setEmail },
    { name: 'set-role', summary: 'Give somebody other roles', command: setRole },
    { name: 'delete', summary: 'Remove somebody for good', command: remove },
  ],
};
