// Requirements for passwords.

import { part } from '../../part.ts';
import { hibp, passwordExpiration, passwordRequirements, strongPasswords } from './password-requirements.ts';
import { breachedCheck, createPasswordRules } from './passwords.ts';
import { passwordMigrations } from './tables.ts';

export const passwordsPart = part({
  name: 'passwords',
  modules: [passwordRequirements, strongPasswords, hibp, passwordExpiration],
  tables: { migrations: passwordMigrations, users: { secsuite_passwords: ['user_id'] } },
  logged: {
    password_requirements: {
      label: 'What passwords have to be',
      codes: {
        'breached-not-asked': 'Nobody could be asked for leaked passwords',
        'new-password-asked': (_, user) => `User ${user} has to choose a new password`,
      },
    },
  },
  make: (services, { settings, switches, matchables, logs, isSuiteOn }) => ({
    passwords: createPasswordRules({
      ...services,
      settings,
      ready: switches.ready,
      matches: matchables.matches,
      log: logs.write,
      isOn: isSuiteOn,
      breachedUrl: services.operator.security.breachedUrl,
    }),
  }),
  health: {
    checks: [{ ...breachedCheck, look: ({ passwords }) => passwords.look() }],
    remotes: ({ passwords }) => passwords.remotes(),
  },
  end: ({ passwords }) => passwords.end(),
});
