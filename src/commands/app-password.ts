import { command as create } from './app-password/create.ts';
import { command as list } from './app-password/list.ts';
import { command as revoke } from './app-password/revoke.ts';
import type { Family } from './command.ts';

export const command: Family = {
  name: 'app-password',
  about:
    'Application passwords: each lets one program act for a user. These commands work whether the site serves or not.',
  members: [
    { name: 'create', summary: 'Make one and print it, alone', command: create },
    { name: 'list', summary: 'List those of a user', command: list },
    { name: 'revoke', summary: 'Revoke one, or all of a user', command: revoke },
  ],
};
