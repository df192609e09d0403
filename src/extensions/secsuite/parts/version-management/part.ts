// The installed software, and old sites on the same machine.

import { dirname } from 'node:path';
import { day, minute } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { withFailureLog } from '../../logs/failing.ts';
import { about } from '../../logs/named.ts';
import type { Module, SettingSchema, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { count, flag, named, settingsCard, unavailable } from '../../setting-schemas.ts';
import { rowOf } from '../../settings/stored.ts';
import type { SettingsTables } from '../../settings/tables.ts';
import { programFolder } from '../../software/inventory.ts';
import { readReleases } from '../../software/releases.ts';
import type { AutomaticUpdates, UpdateOrder } from './automatic-updates.ts';
import { openUpdates } from './open.ts';
import { isAutomatic } from './plan.ts';
import { oldSiteRoutes, packageRoutes } from './routes.ts';
import { readDetails, updatesSeen } from './update-details.ts';
import { createVersionManagement } from './version-management.ts';

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
  help: 'Attackers can use an outdated site to attack this site. If you turn this on, extensions are updated automatically after a backup. If the site does not work afterwards, it runs the earlier version again.',
  settings: settingsCard({
    properties: {
      core_automatic_updates: unavailable(
        flag(false, 'Gatehouse itself', 'Notifies you of each new version of Gatehouse.'),
      ),
      plugin_automatic_updates: updates('Extensions', 'Extensions that are updated automatically.'),
      theme_automatic_updates: unavailable(updates('Themes', 'Themes that are updated automatically.')),
      packages,
      update_window_start: {
        ...count(2, 0, 'Updates begin at', 'Hour of the day at which updates can start, in the time zone of the site.'),
        maximum: 23,
      },
      update_window_hours: {
        ...count(3, 1, 'Hours for updates', 'Number of hours after that in which an update can start.'),
        maximum: 24,
      },
      scan_for_old_sites: flag(
        false,
        'Find old sites',
        'Searches every day for other sites on this machine that run an old version, and sends an email.',
      ),
      update_if_vulnerable: flag(
        false,
        'Update unsafe software',
        'Software with a known vulnerability is updated as soon as a fixed version exists.',
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
    },
    uiSchema: {
      'ui:sections': [
        { title: 'Gatehouse', fields: ['core_automatic_updates'] },
        { title: 'Extensions', fields: ['plugin_automatic_updates', 'update_window_start', 'update_window_hours'] },
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

const updatesJob = withFailureLog<UpdateOrder, { readonly updates: Pick<AutomaticUpdates, 'run'> }>({
  name: 'security-suite.updates',
  about: 'Installs updates of extensions',
  serving: true,
  attempts: 3,
  lane: { name: 'security-suite.updates', atOnce: 1 },
  run: (order, { signal }, { updates }) => updates.run(order, signal),
});
const alone = 'security-suite.updates';
/** A scan that found something new may be followed by another at once. */
const afterScan = 5 * minute;

export const versionManagementPart = part({
  name: 'version-management',
  modules: [versionManagement],
  notifications: [
    {
      slug: 'old-site-scan',
      module: 'version-management',
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'monthly', default: 'daily' },
      label: 'Old sites',
      description: 'Lists other sites on this machine that run an old version.',
      subject: 'An old site was found',
      isThere: ({ switches, settings }) =>
        switches.isRunning('version-management') && settings.of('version-management').scan_for_old_sites,
    },
    {
      slug: 'automatic-updates-debug',
      module: 'version-management',
      recipient: 'user-list',
      label: 'Automatic updates',
      description: 'Lists automatic updates of extensions, and failed updates.',
      optional: true,
      isThere: ({ switches, settings }) =>
        switches.isRunning('version-management') && isAutomatic(settings.of('version-management')),
    },
  ],
  logged: {
    version_management: {
      label: 'Versions',
      codes: {
        update: about('Updated'),
        install: about('Installed'),
        'auto-update': about('Updated automatically'),
        'auto-update-failed': about('An automatic update failed'),
        'auto-update-interrupted': about('An automatic update was interrupted'),
        'auto-updates-stopped': about('No automatic update was installed'),
        'update-core': about('The site itself was updated'),
        'old-sites': about('Old sites were found'),
      },
    },
  },
  make: (services, { settings, inventory, center, logs, tasks, switches }, { leftOut }) => {
    const { clock, operator, extensions, program } = services;
    switches.onSwitched('version-management', { deactivated: () => tasks.cancel('old-site-scan') });
    const isRunning = () => switches.isRunning('version-management');
    const updates = openUpdates(services, { settings, inventory, center, logs, isRunning }, leftOut);
    const queue = services.queueOf(updatesJob);
    return {
      updates,
      /** Has a job look for updates. */
      lookForUpdates: () => queue.add({ onlyFixes: false }, { key: 'window', alone }),
      /** A scan found other vulnerabilities than the one before. */
      async updateUnsafe() {
        if (!isRunning() || !settings.of('version-management').update_if_vulnerable) return;
        const at = new Date(clock().getTime() + afterScan);
        await queue.add({ onlyFixes: true }, { key: 'fixes', alone, at });
      },
      logUpdate(slug: string, version: string | undefined, isAutomatic: boolean) {
        const [code, how] = isAutomatic ? ['auto-update', ''] : ['update', ',manual'];
        logs.write({ module: 'version_management', code: `${code}::plugin,${slug},${version}${how}`, type: 'notice' });
      },
      installedVersion: async (slug: string) => (await extensions.find(slug))?.version,
      versions: createVersionManagement({
        clock,
        inventory,
        updates,
        settings,
        roots: operator.security.scanRoots ?? [dirname(operator.data)],
        own: programFolder,
        version: program.version,
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
    {
      name: 'software-outdated',
      every: day,
      module: 'version-management',
      // A catalogue is asked only if that changes anything.
      isDue: ({ settings }) => settings.of('two-factor').protect_vulnerable_site,
      run: ({ versions }) => versions.noteOutdated(),
    },
  ],
  jobs: {
    kinds: [updatesJob],
    schedules: [
      {
        name: 'security-suite.updates',
        every: 15 * minute,
        add: async ({ updates, lookForUpdates }) => {
          if (await updates.isDue()) await lookForUpdates();
        },
      },
    ],
  },
  on: {
    'secsuite.vulnerabilities': (_, { updateUnsafe }) => updateUnsafe(),
    'extension.changed': async ({ slug, change, automatic = false }, { logUpdate, installedVersion }) => {
      if (change === 'updated') logUpdate(slug, await installedVersion(slug), automatic);
    },
  },
  doctor: [
    {
      what: 'Automatic updates',
      look: async ({ store }) => {
        const { db }: Store<SettingsTables> = store;
        const stored = await rowOf(db, 'version-management');
        if (stored === undefined) return undefined;
        const { update_details, plugin_automatic_updates = 'none', update_if_vulnerable } = JSON.parse(stored);
        return updatesSeen(
          readDetails(update_details),
          plugin_automatic_updates !== 'none' || update_if_vulnerable === true,
        );
      },
    },
  ],
  routes: ({ tools, gate, isRunning }) =>
    isRunning('version-management')
      ? { rpc: packageRoutes(tools, gate.manager), v1: oldSiteRoutes(tools, gate.manager) }
      : {},
});
