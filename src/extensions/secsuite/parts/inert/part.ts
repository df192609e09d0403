// Modules that are named for clients that look for them, and do nothing by themselves.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';

const privacy: Module = {
  id: 'privacy',
  type: 'recommended',
  standing: 'always-active',
  title: 'Privacy',
  description: '',
};

const emailConfirmation: Module = {
  id: 'email-confirmation',
  type: 'recommended',
  standing: 'always-active',
  title: 'Confirmed mail addresses',
  description: '',
};

const dashboardWidget: Module = {
  id: 'dashboard-widget',
  type: 'recommended',
  standing: 'always-active',
  title: 'Overview on the start page',
  description: '',
};

const onlineFiles: Module = {
  id: 'online-files',
  type: 'recommended',
  standing: 'always-active',
  title: 'Comparison with published files',
  description: '',
};

export const inertPart = part({
  name: 'inert',
  modules: [privacy, emailConfirmation, dashboardWidget, onlineFiles],
});
