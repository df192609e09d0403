// The commands of the security suite, each loaded when it is asked for.
import type { DoctorAction, Family, ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'security',
    summary: 'Unblock IP addresses, move the security configuration, or try a firewall rule',
    load: () => import('./commands/security.ts'),
  },
  { name: 'logs', summary: 'Show, export and verify the security log', load: () => import('./commands/logs.ts') },
  {
    name: 'secsuite',
    summary: 'Old names of "security unblock" and "security trust"',
    load: () => import('./commands/secsuite.ts'),
  },
];

/** Commands that stand among those about users. */
export const userCommands: Family['members'] = [
  {
    name: 'reset-second-factor',
    summary: 'Turn two-factor authentication off for a user who lost their phone',
    command: {
      name: 'user reset-second-factor',
      about: `Deletes the authenticator app, the recovery codes and the remembered devices of a user who has lost them, and emails the
user about it. If two-factor authentication is required for them, a code is emailed to them at the next sign-in, and they set it up again.`,
      words: [{ name: 'LOGIN', meaning: 'Login or email address of the user' }],
      run: async (ask) => (await import('./commands/reset-second-factor.ts')).resetSecondFactor(ask),
    },
  },
];

export const doctorActions: readonly DoctorAction[] = [
  {
    name: 'unlock',
    meaning: 'Old name of "security unblock --all"',
    about: `--unlock is the old name of "gatehouse security unblock --all", and stops working in the next version.`,
    load: () => import('./commands/secsuite.ts'),
  },
];
