// Who may read and write the files of the service.

import { join } from 'node:path';
import { rightsOf } from '../../disk/folders.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import type { PathGuard } from '../../settings/folders.ts';

const filePermissions: Module = {
  id: 'file-permissions',
  type: 'tool',
  standing: 'always-active',
  title: 'File permissions',
  description: 'Shows which files and folders other system users can read or write, and the recommended permissions.',
  tools: { 'check-file-permissions': { title: 'Check file permissions' } },
};

/** Paths that do not exist are left out when they are looked at. */
function pathsToCheck(data: string, named: PathGuard['named']) {
  const folders = [data, ...['uploads', 'media', 'exports', 'backups'].map((name) => join(data, name))];
  const secrets = [join(data, 'secret'), join(data, 'app.env.rules')];
  const paths = (all: readonly string[]) => [...new Set(all.filter((path) => path !== ''))];
  return [
    ...paths([...folders, ...named('directory')]).map((path) => ({ path, kind: 'folder' as const })),
    ...paths([...secrets, ...named('file-path')]).map((path) => ({ path, kind: 'secret' as const })),
  ];
}

export const filePermissionsPart = part({
  name: 'file-permissions',
  modules: [filePermissions],
  make: ({ operator: { data } }, { paths }) => ({
    filePermissionTools: {
      'check-file-permissions': {
        run: async () => ({ data: await rightsOf(data, pathsToCheck(data, paths.named)) }),
      },
    },
  }),
  tools: ({ filePermissionTools }) => filePermissionTools,
});
