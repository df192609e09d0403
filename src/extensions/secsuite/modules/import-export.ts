// Taking the settings of the suite to another site.
import type { Module } from '../module.ts';
import { later } from './card.ts';

export const importExport: Module = {
  id: 'import-export',
  type: 'custom',
  standing: 'always-active',
  title: 'Import and export',
  description: later,
};
