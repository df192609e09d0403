// Taking the configuration of the suite to another site.

import type { Module } from '../../module.ts';
import { siteTags } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { transferErrors } from './errors.ts';
import { exportRoutes, importRoutes, sourceRoutes } from './routes.ts';
import { exportMigrations } from './tables.ts';
import { createTransfer, type Transfer } from './transfer.ts';

const importExport: Module = {
  id: 'import-export',
  type: 'custom',
  standing: 'always-active',
  title: 'Import and export',
  description: 'Takes modules, settings, user groups and bans to another site. Secrets are not exported.',
};

export const importExportPart = part<{ readonly transfer: Transfer }>({
  name: 'import-export',
  errors: transferErrors,
  modules: [importExport],
  tables: { migrations: exportMigrations },
  logged: {
    'import-export': {
      label: 'Import and export',
      codes: { export: () => 'Configuration exported', import: () => 'Configuration imported' },
    },
  },
  make: ({ store, clock, identity, site, operator, program }, { logs }) => ({
    transfer: createTransfer({
      store,
      clock,
      logs,
      users: identity.users,
      roles: identity.roles,
      url: site.url,
      version: program.version,
      data: operator.data,
    }),
  }),
  routes: ({ tools, gate }) => ({
    rpc: importRoutes(tools, gate.manager),
    v1: [...exportRoutes(tools, gate.manager), ...sourceRoutes(tools, gate.manager)],
  }),
  notifications: [
    {
      slug: 'import-export',
      module: 'import-export',
      recipient: 'per-use',
      label: 'Exported settings',
      description: 'Goes to the user who exported the settings of the security suite.',
      subject: 'Your security settings',
      message:
        '<p>On {{ $date }} at {{ $time }} the security settings of {{ $site_title }} ({{ $site_url }}) were exported by your request. No action is needed.</p>',
      tags: { date: 'The day of the export.', time: 'The time of the export.', ...siteTags },
    },
  ],
});
