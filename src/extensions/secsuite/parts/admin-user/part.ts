// Accounts that every attacker tries first, and the tools that do away with them.

import type { Module } from '../../module.ts';
import { renumberedIn } from '../../notifications/renumbered.ts';
import { part } from '../../part.ts';
import { accountTools } from './accounts.ts';

const adminUser: Module = {
  id: 'admin-user',
  type: 'tool',
  standing: 'always-active',
  title: 'Well-known accounts',
  description: 'Takes their well-known names and numbers from the accounts that attackers try first.',
  tools: {
    'change-admin-user': {
      title: 'Rename the account "admin"',
      description: 'Gives the account "admin" another name to sign in with.',
      help: 'Whoever uses the account signs in with the new name from then on.',
      form: {
        type: 'object',
        required: ['new_username'],
        properties: {
          new_username: {
            type: 'string',
            minLength: 1,
            pattern: '[\\w\\s\\-\\.\\@]+',
            default: '',
            title: 'New name',
            description: 'Letters, digits, spaces and the characters _ - . @',
          },
        },
      },
    },
    'change-id-1-user': {
      title: 'Renumber the first account',
      description: 'Gives the account with the number 1 another number.',
      help: 'What the account has written and what it may do stays with it.',
    },
  },
};

export const adminUserPart = part({
  name: 'admin-user',
  modules: [adminUser],
  make: (services, shared, { users: others }) => ({
    accountTools: accountTools({
      store: services.store,
      users: services.identity.users,
      events: services.events,
      others,
      behalf: ({ caller }) => caller && shared.manage.behalfOf(caller),
      renumbered: (from, to) => renumberedIn(shared.settings, from, to),
    }),
  }),
  tools: ({ accountTools }) => accountTools,
});
