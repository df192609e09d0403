// Modules that are named for clients that look for them, and do nothing by themselves.
import type { Module } from '../module.ts';

export const privacy: Module = {
  id: 'privacy',
  type: 'recommended',
  standing: 'always-active',
  title: 'Privacy',
  description: '',
};

export const emailConfirmation: Module = {
  id: 'email-confirmation',
  type: 'recommended',
  standing: 'always-active',
  title: 'Confirmed mail addresses',
  description: '',
};

export const dashboardWidget: Module = {
  id: 'dashboard-widget',
  type: 'recommended',
  standing: 'always-active',
  title: 'Overview on the start page',
  description: '',
};

export const onlineFiles: Module = {
  id: 'online-files',
  type: 'recommended',
  standing: 'always-active',
  title: 'Comparison with published files',
  description: '',
};
