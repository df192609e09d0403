// HTTPS for every request, an API for users only, and names to sign in with.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, flag, named, settingsCard } from '../../setting-schemas.ts';
import { coreTweaks } from './core-tweaks.ts';
import { createTweaks } from './tweaks.ts';

/** The settings of this module have no effect, because turning it on or off says everything. Clients still look for them. */
const ssl: Module = {
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

export const tweaksPart = part({
  name: 'tweaks',
  modules: [ssl, coreTweaks],
  make: (services, { settings, defends }) => ({
    tweaks: createTweaks({ ...services, settings, url: services.site.url, isRunning: defends }),
  }),
  guards: ({ tweaks }) => tweaks.guards,
  checks: ({ tweaks }) => [tweaks.check],
});
