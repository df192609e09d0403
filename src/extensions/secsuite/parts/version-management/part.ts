// The installed software, and old sites on the same machine.

import { dirname } from 'node:path';
import { day } from '#lib/spans.ts';
import { about } from '../../logs/named.ts';
import type { Module, SettingSchema, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { flag, named, settingsCard, unavailable } from '../../setting-schemas.ts';
import { programFolder } from '../../software/inventory.ts';
import { readReleases } from '../../software/releases.ts';
import { oldSiteRoutes, packageRoutes } from './routes.ts';
import { createVersionManagement } from './version-management.ts';

const updates = (title: string, description: string) =>
  unavailable(named({ none: 'None', custom: 'Those I choose', all: 'All' }, 'none', title, description));

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

const oldSite = {
  type: 'object',
  additionalProperties: false,
  properties: { version: { type: 'string' }, is_outdated: { type: 'boolean' }, is_muted: { type: 'boolean' } },
} as const satisfies SettingSchema;

const versionManagement = {
  id: 'version-management',
  type: 'site-check',
  standing: 'default-active',
  title: 'Updates',
  description: 'Lists the installed software with newer versions, and looks for old sites on the same machine.',
  help: 'An old site that nobody updates can be attacked, and this site through it. Updates are not installed automatically in this version.',
  settings: settingsCard({
    properties: {
      core_automatic_updates: unavailable(
        flag(false, 'The service itself', 'Says that you want to know of every new version of the service at once.'),
      ),
      plugin_automatic_updates: updates('Extensions', 'Which extensions are updated by themselves.'),
      theme_automatic_updates: updates('Themes', 'Which themes are updated by themselves.'),
      packages: unavailable(packages),
      scan_for_old_sites: flag(
        false,
        'Look for forgotten sites',
        'Looks every day for other sites on this machine that run an old version, and sends an email.',
      ),
      update_if_vulnerable: unavailable(
        flag(
          false,
          'Update what is unsafe',
          'What is known to be unsafe is updated as soon as there is a version that is not.',
        ),
      ),
      update_details: unavailable({ type: 'object', default: {}, readonly: true }),
      is_software_outdated: unavailable({ type: 'boolean', default: false, readonly: true }),
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
      first_seen: unavailable({
        type: 'object',
        additionalProperties: false,
        properties: { plugin: sightings, theme: sightings },
        default: { plugin: {}, theme: {} },
        readonly: true,
      }),
    },
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
      description: 'Names other sites on this machine that run an old version.',
      subject: 'An old site was found',
      isThere: ({ switches, settings }) =>
        switches.isRunning('version-management') && settings.of('version-management').scan_for_old_sites,
    },
    {
      slug: 'automatic-updates-debug',
      module: 'version-management',
      recipient: 'user-list',
      label: 'Updates',
      description: 'Not available in this version. Says which updates were installed.',
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
        'old-sites': about('Old sites were found'),
      },
    },
  },
  make: ({ clock, operator }, { settings, inventory, center, logs, tasks, switches }) => {
    switches.onSwitched('version-management', { deactivated: () => tasks.cancel('old-site-scan') });
    return {
      versions: createVersionManagement({
        clock,
        inventory,
        settings,
        roots: operator.security.scanRoots ?? [dirname(operator.data)],
        own: programFolder,
        releases: () => readReleases(programFolder),
        log: logs.write,
        send: center.send,
        scanLater: () => tasks.start('old-site-scan'),
      }),
    };
  },
  tasks: [
    {
      name: 'old-site-scan',
      every: day,
      module: 'version-management',
      isDue: ({ settings }) => settings.of('version-management').scan_for_old_sites,
      run: ({ versions }, signal) => versions.scanAndMail(signal),
    },
  ],
  routes: ({ tools, gate, isRunning }) =>
    isRunning('version-management')
      ? { rpc: packageRoutes(tools, gate.manager), v1: oldSiteRoutes(tools, gate.manager) }
      : {},
});
