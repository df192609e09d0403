// The requirements that a password is changed: after some time, and when everybody is asked to.
import type { Module, SettingSchema } from '../../module.ts';
import { days, settingsCard } from '../../setting-schemas.ts';

export const passwordExpiration = {
  id: 'password-expiration',
  type: 'recommended',
  standing: 'always-active',
  title: 'Age of passwords',
  description: 'Has passwords changed that are old.',
  passwordRequirements: {
    age: {
      'user-group': true,
      settings: {
        type: 'object',
        properties: {
          expire_max: days(120, 0, 'Longest age', 'After so many days members must choose a new password.'),
        } satisfies Record<string, SettingSchema>,
      },
    },
    force: { title: 'A new password for everybody' },
  },
  settings: settingsCard({
    properties: {
      // Kept is when everybody was asked; sent may be yes, which is now, or no.
      expire_force: { type: ['integer', 'boolean'], minimum: 0, default: 0, readonly: true },
    },
  }),
} as const satisfies Module;
