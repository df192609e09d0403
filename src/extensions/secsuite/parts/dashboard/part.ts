// Dashboards: what happened, at a glance.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { groupList, settingsCard, unavailable } from '../../setting-schemas.ts';

const dashboard: Module = {
  id: 'dashboard',
  type: 'recommended',
  standing: 'always-active',
  title: 'Dashboards',
  description: 'Shows at a glance who was kept out, and what needs a look.',
  userGroups: {
    group: {
      title: 'Make dashboards',
      description: 'Members may make dashboards and share them with others.',
      default: 'administrator',
    },
  },
  settings: settingsCard({
    properties: { migrated: unavailable({ type: 'boolean', default: false, readonly: true }), group: groupList },
  }),
};

export const dashboardPart = part({
  name: 'dashboard',
  modules: [dashboard],
});
