// The commands of the security suite, each loaded when it is asked for.
import type { DoctorAction, ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'secsuite',
    summary: 'Let in again whom the security suite keeps out',
    load: () => import('./commands/secsuite.ts'),
  },
  {
    name: 'security',
    summary: 'Export or import the configuration of the security suite',
    load: () => import('./commands/security.ts'),
  },
  { name: 'logs', summary: 'What the security suite wrote down', load: () => import('./commands/logs.ts') },
];

export const doctorActions: readonly DoctorAction[] = [
  {
    name: 'unlock',
    meaning: 'End every lockout of addresses and accounts, and do nothing else',
    about: `With --unlock nothing is checked: it asks first,
and then lets everybody in again whom the security suite has locked out.`,
    load: () => import('./commands/secsuite.ts'),
  },
];
