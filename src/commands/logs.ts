// The commands about the security log: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as exporting } from './logs/export.ts';
import { command as tail } from './logs/tail.ts';

export const command: Family = {
  name: 'logs',
  about: 'What the security suite wrote down. These commands only read, whether the site is serving or not.',
  members: [
    { name: 'export', summary: 'Write the entries out, as lines of CSV or JSON', command: exporting },
    { name: 'tail', summary: 'Show the newest entries, and what comes', command: tail },
  ],
};
