// Files of the site that changed.

import { join } from 'node:path';
import { day } from '#lib/spans.ts';
import type { Place } from '../../disk/walking.ts';
import { about } from '../../logs/named.ts';
import { whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { createFileChange } from './file-change.ts';
import { fileChange } from './settings.ts';
import { fileMigrations, quietFileTables } from './tables.ts';

/** Where files are that change only when somebody changes them: the program, the extensions, and the rules that the suite writes. */
const program = `${join(import.meta.dirname, '../../../..')}/`;

/** Histories and figures that come with working on the program. */
const restless = new Set(['.git', '.cache', 'node_modules/.cache']);
const ruled = /\.(?:conf|rules|env|json)$/;

const placesOf = (data: string): Place[] => [
  {
    folder: program,
    name: 'program',
    takes: (path) => !restless.has(path) && !`${program}${path}/`.startsWith(data.replace(/\/*$/, '/')),
  },
  {
    folder: data,
    name: 'data',
    takes: (path, isFolder) =>
      path.startsWith('extensions/') || (isFolder ? path === 'extensions' : !path.includes('/') && ruled.test(path)),
  },
];

export const fileChangePart = part({
  name: 'file-change',
  modules: [fileChange],
  tables: { migrations: fileMigrations, quiet: quietFileTables },
  notifications: [
    {
      slug: 'file-change',
      ...whileRunning('file-change'),
      recipient: 'user-list',
      label: 'Changed files',
      description: 'Says which files were added, changed or removed.',
      subject: 'Files of your site have changed',
      optional: true,
    },
  ],
  logged: {
    file_change: {
      label: 'File changes',
      codes: {
        scan: 'Files are compared',
        'changes-found': about('Files have changed'),
        'no-changes-found': 'No file has changed',
        'file-scan-aborted': 'The comparison of files was broken off',
      },
    },
  },
  make: (services, { settings, switches, logs, center, files, tasks }) => {
    const fileChanges = createFileChange({
      ...services,
      settings,
      logs,
      send: center.send,
      places: placesOf(services.operator.data),
      version: services.program.version,
      isRunning: () => switches.isRunning('file-change'),
    });
    files.beforeWrite(fileChanges.means);
    switches.onSwitched('file-change', {
      activated: async () => void (await tasks.start('file-change')),
      deactivated: () => tasks.cancel('file-change'),
    });
    return { fileChanges };
  },
  tasks: [
    {
      name: 'file-change',
      every: day,
      isDue: ({ switches }) => switches.isRunning('file-change'),
      run: ({ fileChanges }, signal) => fileChanges.scan(signal),
    },
  ],
});
