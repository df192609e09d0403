// Accounts that nobody has used for long.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { later } from '../../setting-schemas.ts';

const userSecurityCheck: Module = {
  id: 'user-security-check',
  type: 'site-check',
  standing: 'always-active',
  title: 'Unused accounts',
  description: `${later} Will write an email about accounts with many rights that nobody has used for a month.`,
};

export const userSecurityCheckPart = part({
  name: 'user-security-check',
  modules: [userSecurityCheck],
  notifications: [
    {
      slug: 'inactive-users',
      module: 'user-security-check',
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'monthly', default: 'daily' },
      label: 'Unused accounts',
      description: 'Names accounts that may do much and were not used for long.',
      subject: 'Accounts that nobody uses',
      optional: true,
    },
  ],
});
