// HTTPS for everything. Its settings are of an earlier day: whether the module is on says all.
import type { Module } from '../../module.ts';
import { allUnavailable, flag, named, settingsCard } from '../../setting-schemas.ts';

export const ssl: Module = {
  id: 'ssl',
  type: 'utility',
  standing: 'default-inactive',
  title: 'HTTPS for everything',
  description: 'Sends everybody who comes without HTTPS on to the same address with it.',
  requirements: { ssl: { validate: 'activate' } },
  settings: settingsCard({
    properties: allUnavailable({
      require_ssl: named(
        { disabled: 'No', enabled: 'Yes', advanced: 'In part' },
        'disabled',
        'HTTPS',
        'Whether HTTPS is asked for.',
      ),
      frontend: {
        type: 'integer',
        minimum: 0,
        maximum: 2,
        default: 0,
        title: 'HTTPS for pages',
        description: 'Which pages ask for HTTPS.',
      },
      admin: flag(false, 'HTTPS for management', 'Whether management asks for HTTPS.'),
    }),
    deprecated: ['require_ssl', 'frontend', 'admin'],
  }),
};
