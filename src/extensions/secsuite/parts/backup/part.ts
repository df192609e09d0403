// Backups of the database, kept here or sent by email.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hour } from '#lib/spans.ts';
import { withFailureLog } from '../../logs/failing.ts';
import type { Module, SettingSchema, SettingsOf, SitePaths } from '../../module.ts';
import { part } from '../../part.ts';
import { count, days, flag, forAll, named, noted, settingsCard, unavailable, when } from '../../setting-schemas.ts';
import { jobResult } from '../../tools/job-result.ts';
import { type Backups, createBackups } from './backups.ts';

/** What comes anew by itself, and is left out of a backup unless somebody wants it. */
const passing = [
  'secsuite_logs',
  'secsuite_temp',
  'secsuite_lockouts',
  'secsuite_distributed_storage',
  'secsuite_opaque_tokens',
  'secsuite_geolocation_cache',
];

const lasting = [
  'secsuite_bans',
  'secsuite_dashboard_events',
  'secsuite_dashboard_lockouts',
  'secsuite_fingerprints',
  'secsuite_firewall_rules',
  'secsuite_mutexes',
  'secsuite_user_groups',
  'secsuite_vulnerabilities',
  'secsuite_webauthn_credentials',
  'secsuite_webauthn_users',
];

const exclude = {
  type: 'array',
  items: { type: 'string', enum: [...passing, ...lasting] },
  uniqueItems: true,
  default: passing,
  title: 'Excluded tables',
  description: 'Tables of the security suite to leave out of backups. Backups always have the content of the site.',
} as const satisfies SettingSchema;

const uiSchema = {
  'ui:sections': [
    { title: 'When', fields: ['enabled', 'interval'] },
    { title: 'How', fields: ['method', 'location', 'retain', 'zip'] },
    { title: 'Tables', fields: ['exclude'] },
  ],
  location: { 'ui:resettable': true },
  exclude: {
    'ui:title': '',
    'ui:widget': 'IncludeExcludeWidget',
    'ui:options': {
      includeList: { title: 'Excluded', description: 'Tables that are not in backups.', button: 'Include' },
      excludeList: { title: 'Included', description: 'Tables that are in all backups.', button: 'Exclude' },
    },
  },
};

export const backupOn = ({ data }: SitePaths) =>
  ({
    id: 'backup',
    type: 'utility',
    standing: 'default-active',
    title: 'Backups of the database',
    description: 'Makes a backup of the database every few days.',
    help: 'A backup on the same machine does not help if the machine is lost. Copy backups to another machine.',
    settings: settingsCard({
      properties: {
        enabled: flag(false, 'Automatic backups', 'A backup is made every few days.'),
        interval: days(3, 0, 'Days between backups', 'Number of days from one backup to the next.'),
        method: named(
          { both: 'Stored here, and reported by email', email: 'Reported by email', local: 'Stored here' },
          'email',
          'Where backups go',
          'A backup has all data of the database. Store it securely.',
        ),
        location: {
          type: 'string',
          format: 'directory',
          default: join(data, 'backups'),
          title: 'Folder of the backups',
          description: 'A folder that Gatehouse can write to and that visitors cannot read.',
        },
        retain: count(0, 0, 'Number of backups to keep', 'Older backups are deleted. 0 keeps all.'),
        zip: unavailable(flag(true, 'Compress', 'Backups are smaller.'), 'backups are always compressed'),
        exclude,
        last_run: { ...noted, title: 'Time of the last backup' },
      },
      uiSchema,
      conditional: {
        interval: when({ enabled: [true] }),
        ...forAll(['location', 'retain'], when({ method: ['both', 'local'] })),
      },
      ours: ['last_run'],
    }),
  }) satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    backup: SettingsOf<typeof backupOn>;
  }
}

const backupJob = withFailureLog<null, { readonly backups: Backups }>({
  name: 'security-suite.backup',
  about: 'Makes a backup of the database that a security manager asked for',
  serving: true,
  lane: { name: 'security-suite.backup', atOnce: 1 },
  run: async (_payload, { signal }, { backups }) => backups.makeNow(signal),
});

const alone = { key: 'backup', alone: 'security-suite.backup' } as const;

export const backupPart = part({
  name: 'backup',
  modules: [backupOn],
  notifications: [
    {
      slug: 'backup',
      module: 'backup',
      recipient: 'email-list',
      label: 'Backup of the database',
      description: 'Says where the new backup is.',
      subject: 'A backup of your site',
      isThere: ({ switches, settings }) => switches.isRunning('backup') && settings.of('backup').method !== 'local',
    },
  ],
  logged: {
    backup: {
      label: 'Database backups',
      codes: {
        'file-stored': 'The backup is stored',
        'email-succeeded': 'The backup was reported by email',
        'email-succeeded-file-stored': 'The backup is stored and was reported by email',
        'email-failed-file-stored': 'The backup is stored, but the email could not be sent',
        'email-failed': 'The email about the backup could not be sent',
      },
    },
  },
  make: (services, { settings, switches, center, logs, tasks }, { leftOut }) => {
    switches.onSwitched('backup', { deactivated: () => tasks.cancel('backup') });
    const queue = services.queueOf(backupJob);
    return {
      /** Resolves when the backup is there. */
      backUpNow: async (by: number) => {
        const job = await queue.add(null, { ...alone, by });
        await jobResult(services.jobs, job, 'The backup was not made. See the security log for the reason.');
      },
      isBackupOn: () => switches.isRunning('backup'),
      backups: createBackups({
        ...services,
        settings,
        leftOut,
        send: center.send,
        log: logs.write,
        unique: randomUUID,
        version: services.program.version,
        isRunning: () => switches.isRunning('backup'),
      }),
    };
  },
  jobs: { kinds: [backupJob], schedules: [] },
  cardActions: ({ backUpNow, isBackupOn }) => ({
    backup: {
      isOffered: isBackupOn,
      async run({ id }) {
        await backUpNow(id);
        return null;
      },
    },
  }),
  tasks: [
    {
      name: 'backup',
      every: hour,
      isDue: ({ backups }) => backups.isDue(),
      run: ({ backups }, signal) => backups.make(signal),
    },
  ],
});
