// Backups of the database.
import { randomUUID } from 'node:crypto';
import { hour } from '#lib/spans.ts';
import { part } from '../../part.ts';
import { createBackups } from './backups.ts';
import { backupOn } from './settings.ts';

export const backupPart = part({
  name: 'backup',
  modules: [backupOn],
  notifications: [
    {
      slug: 'backup',
      module: 'backup',
      recipient: 'email-list',
      label: 'Backup of the database',
      description: 'Carries the backup, or says where it is.',
      subject: 'A backup of your site',
      isThere: ({ switches, settings }) => switches.isRunning('backup') && settings.of('backup').method !== 'local',
    },
  ],
  logged: {
    backup: {
      label: 'Database backups',
      codes: {
        'file-stored': 'The backup is stored',
        'email-succeeded': 'The backup was mailed',
        'email-succeeded-file-stored': 'The backup is stored, and was mailed',
        'email-failed-file-stored': 'The backup is stored, but could not be mailed',
        'email-failed': 'The backup could not be mailed',
      },
    },
  },
  make: (services, { settings, switches, center, logs, tasks }, { leftOut }) => {
    switches.onSwitched('backup', { deactivated: () => tasks.cancel('backup') });
    return {
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
  tasks: [
    {
      name: 'backup',
      every: hour,
      isDue: ({ backups }) => backups.isDue(),
      run: ({ backups }, signal) => backups.make(signal),
    },
  ],
});
