// Taking the settings of the suite to another site.

import type { Module } from '../../module.ts';
import { siteTags } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { later } from '../../setting-schemas.ts';

const importExport: Module = {
  id: 'import-export',
  type: 'custom',
  standing: 'always-active',
  title: 'Import and export',
  description: later,
};

export const importExportPart = part({
  name: 'import-export',
  modules: [importExport],
  notifications: [
    {
      slug: 'import-export',
      module: 'import-export',
      recipient: 'per-use',
      label: 'Exported settings',
      description: 'Goes to whoever asked for the settings of the suite to be exported.',
      subject: 'Your security settings',
      message:
        '<p>On {{ $date }} at {{ $time }} the security settings of {{ $site_title }} ({{ $site_url }}) were exported as you asked.</p>',
      tags: { date: 'The day of the export.', time: 'The time of the export.', ...siteTags },
    },
  ],
});
