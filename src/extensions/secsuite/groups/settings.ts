// User groups: whom a protection holds for.
import type { Module } from '../module.ts';
import { hidden, settingsCard } from '../setting-schemas.ts';

export const userGroups: Module = {
  id: 'user-groups',
  type: 'recommended',
  standing: 'always-active',
  title: 'User groups',
  description: 'Say once who belongs together, and then which protection holds for whom.',
  help: 'A group is made of single users, of roles, or of everybody from a role upwards. Whoever is in no group counts as everybody else.',
  settings: settingsCard({
    properties: {
      default_groups: hidden({
        type: 'object',
        additionalProperties: { type: 'string', format: 'uuid' },
        default: {},
      }),
    },
  }),
};
