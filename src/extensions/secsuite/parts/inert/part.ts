// Modules that clients look for and that do nothing, or nothing in this version.

import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { hidden, settingsCard, unavailable } from '../../setting-schemas.ts';

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
  title: 'Confirmed email addresses',
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

const databasePrefix: Module = {
  id: 'database-prefix',
  type: 'tool',
  standing: 'always-active',
  title: 'Table names',
  description: 'Renames the tables of the database.',
  help: 'The tables of this site have no prefix, so there is nothing to change.',
  tools: { 'change-database-prefix': {} },
};

const featureFlags = {
  id: 'feature-flags',
  type: 'advanced',
  standing: 'always-active',
  order: 20,
  title: 'Experiments',
  description: 'Try features before they are generally available.',
  settings: settingsCard({
    properties: {
      enabled: unavailable(
        {
          type: 'array',
          items: { type: 'string', enum: ['enable_encryption'], enumNames: ['Encrypted secrets'] },
          uniqueItems: true,
          default: [],
          title: 'Active experiments',
        },
        'this version has no experiments, and secrets are always encrypted',
      ),
      rates: unavailable(
        hidden({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 }, default: {} }),
      ),
      opt_outs: unavailable(hidden({ type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] })),
    },
    uiSchema: {
      enabled: {
        'ui:widget': 'checkboxes',
        'ui:enumDisabled': [],
        'ui:enumDescriptions': ['Keys and passwords in the settings are stored encrypted.'],
      },
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'feature-flags': SettingsOf<typeof featureFlags>;
  }
}

export const inertPart = part({
  name: 'inert',
  modules: [privacy, emailConfirmation, dashboardWidget, onlineFiles, databasePrefix, featureFlags],
});
