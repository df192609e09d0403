// What people do on the site, for the log.
import type { Module } from '../../module.ts';
import { groupList, settingsCard } from '../../setting-schemas.ts';

export const userLogging: Module = {
  id: 'user-logging',
  type: 'site-check',
  standing: 'default-active',
  title: 'What people do',
  description: 'Writes into the log when members of some groups sign in, and what they change.',
  userGroups: {
    group: {
      title: 'What members do is logged',
      description: 'Signing in and out, new accounts, and changes of posts and extensions are written down.',
      default: 'administrator',
    },
  },
  settings: settingsCard({ properties: { group: groupList } }),
};
