// Who may read and write the files of the service.

import { join } from 'node:path';
import { rightsOf } from '../../disk/rights.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import type { Settings } from '../../settings/types.ts';

const filePermissions: Module = {
  id: 'file-permissions',
  type: 'tool',
  standing: 'always-active',
  title: 'Rights of files',
  description: 'Shows which files and folders others on this machine may read or write, and what would be better.',
  tools: { 'check-file-permissions': { title: 'Look at the rights of files' } },
};

/** Paths that do not exist are left out when they are looked at. */
function pathsToCheck(data: string, settings: Pick<Settings, 'of'>) {
  const { log_location, nginx_file } = settings.of<{ log_location: string; nginx_file: string }>('global');
  const { location } = settings.of<{ location?: string }>('backup');
  const folders = [data, ...['uploads', 'media', 'exports', 'backups'].map((name) => join(data, name)), log_location];
  const secrets = [join(data, 'secret'), join(data, 'app.env.rules'), nginx_file];
  const paths = (all: readonly (string | undefined)[]) => [...new Set(all.filter((path) => !!path))] as string[];
  return [
    ...paths([...folders, location]).map((path) => ({ path, kind: 'folder' as const })),
    ...paths(secrets).map((path) => ({ path, kind: 'secret' as const })),
  ];
}

export const filePermissionsPart = part({
  name: 'file-permissions',
  modules: [filePermissions],
  tools: ({ settings, dataFolder }) => ({
    'check-file-permissions': {
      run: async () => ({ data: await rightsOf(dataFolder, pathsToCheck(dataFolder, settings)) }),
    },
  }),
});
