// Who may read and write the files of the service.

import { rightsOf } from '../../disk/rights.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { pathsToCheck } from './paths.ts';

const filePermissions: Module = {
  id: 'file-permissions',
  type: 'tool',
  standing: 'always-active',
  title: 'Rights of files',
  description: 'Shows which files and folders others on this machine may read or write, and what would be better.',
  tools: { 'check-file-permissions': { title: 'Look at the rights of files' } },
};

export const filePermissionsPart = part({
  name: 'file-permissions',
  modules: [filePermissions],
  tools: ({ settings, dataFolder }) => ({
    'check-file-permissions': {
      run: async () => ({ data: await rightsOf(dataFolder, pathsToCheck(dataFolder, settings)) }),
    },
  }),
});
