// Software that is out of date, and what is updated by itself.
import type { Module, SettingSchema } from '../module.ts';
import { allUnavailable, flag, later, named, settingsCard } from './card.ts';

const updates = (title: string, description: string): SettingSchema =>
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

export const versionManagement: Module = {
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
};
