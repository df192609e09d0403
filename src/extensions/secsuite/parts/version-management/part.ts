// Software that is out of date, and what is updated by itself.

import { about } from '../../logs/named.ts';
import type { Module, SettingSchema, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, flag, later, named, settingsCard } from '../../setting-schemas.ts';

const updates = (title: string, description: string) =>
  named({ none: 'None', custom: 'Those I choose', all: 'All' }, 'none', title, description);

/** When which version was seen first, by name. */
const sightings: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  patternProperties: {
    '^[\\w-]+$': { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
  },
};

const packages: SettingSchema = {
  type: 'object',
  patternProperties: {
    '^(core:[\\w-]+|plugin:[\\w-]+|theme:[\\w-]+|dependency:npm/[\\w@./-]+)$': {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['enabled', 'delay', 'disabled'], enumNames: ['At once', 'Later', 'Never'] },
        delay: { type: 'integer', minimum: 0, maximum: 180 },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
  default: {},
  readonly: true,
};

const oldSite: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { version: { type: 'string' }, is_outdated: { type: 'boolean' }, is_muted: { type: 'boolean' } },
};

const versionManagement = {
  id: 'version-management',
  type: 'site-check',
  standing: 'default-active',
  title: 'Updates',
  description: `${later} Will keep software up to date, and look for old sites that were forgotten.`,
  help: later,
  settings: settingsCard({
    properties: allUnavailable({
      core_automatic_updates: flag(
        false,
        'The service itself',
        'Says that you want to know of every new version of the service at once.',
      ),
      plugin_automatic_updates: updates('Extensions', 'Which extensions are updated by themselves.'),
      theme_automatic_updates: updates('Themes', 'Which themes are updated by themselves.'),
      packages,
      scan_for_old_sites: flag(
        false,
        'Look for forgotten sites',
        'Looks every day for other sites on this machine that run an old version.',
      ),
      update_if_vulnerable: flag(
        false,
        'Update what is unsafe',
        'What is known to be unsafe is updated as soon as there is a version that is not.',
      ),
      update_details: { type: 'object', default: {}, readonly: true },
      is_software_outdated: { type: 'boolean', default: false, readonly: true },
      old_site_details: {
        type: 'object',
        additionalProperties: false,
        properties: {
          last_scan: { type: 'integer', minimum: 0 },
          sites: { type: 'object', additionalProperties: oldSite },
        },
        default: { last_scan: 0, sites: {} },
        readonly: true,
      },
      first_seen: {
        type: 'object',
        additionalProperties: false,
        properties: { plugin: sightings, theme: sightings },
        default: { plugin: {}, theme: {} },
        readonly: true,
      },
    }),
    uiSchema: {
      'ui:sections': [
        { title: 'The service', fields: ['core_automatic_updates'] },
        { title: 'Extensions', fields: ['plugin_automatic_updates'] },
        { title: 'Themes', fields: ['theme_automatic_updates'] },
        { title: 'Protection', fields: ['scan_for_old_sites', 'update_if_vulnerable'] },
      ],
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'version-management': SettingsOf<typeof versionManagement>;
  }
}

const isSet = (value: boolean | string): boolean => value === true || value === 'all' || value === 'custom';

export const versionManagementPart = part({
  name: 'version-management',
  modules: [versionManagement],
  notifications: [
    {
      slug: 'old-site-scan',
      module: 'version-management',
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'monthly', default: 'daily' },
      label: 'Forgotten sites',
      description: 'Not available in this version. Names other sites on this machine that run an old version.',
      subject: 'An old site was found',
      isThere: ({ switches, settings }) =>
        switches.isRunning('version-management') && settings.of('version-management').scan_for_old_sites,
    },
    {
      slug: 'automatic-updates-debug',
      module: 'version-management',
      recipient: 'user-list',
      label: 'Updates',
      description: 'Says what became of updates.',
      optional: true,
      isThere: ({ switches, settings }) => {
        const { core_automatic_updates, plugin_automatic_updates, theme_automatic_updates } =
          settings.of('version-management');
        return (
          switches.isRunning('version-management') &&
          [core_automatic_updates, plugin_automatic_updates, theme_automatic_updates].some(isSet)
        );
      },
    },
  ],
  logged: {
    version_management: {
      label: 'Versions',
      codes: {
        update: about('Updated'),
        install: about('Installed'),
        'auto-update': about('Updated by itself'),
        'update-core': about('The site itself was updated'),
      },
    },
  },
});
