// Passwords that are guessed: who is wrong too often is locked out.
import type { LockoutCard, Module } from '../module.ts';
import { count, flag, minutes, settingsCard } from '../setting-schemas.ts';

const passwordLimits: LockoutCard['limits'] = ({ max_attempts_host, max_attempts_user, check_period }) => ({
  host: Number(max_attempts_host),
  user: Number(max_attempts_user),
  period: Number(check_period),
});

export const bruteForce: Module = {
  id: 'brute-force',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Guessed passwords',
  description: 'Locks out who enters a wrong password again and again.',
  help: 'An address and an account are counted each for itself, so that neither many accounts nor many addresses help whoever guesses.',
  requirements: { ip: { validate: 'run', showMessageIfUnmet: true } },
  settings: settingsCard({
    properties: {
      auto_ban_admin: flag(
        false,
        'Lock out who tries "admin"',
        'Whoever signs in as "admin" is locked out at once. Switch it on when there is no such account.',
      ),
      max_attempts_host: count(
        5,
        0,
        'Wrong passwords from one address',
        'So many of them lock the address out. 0 locks no address out.',
      ),
      max_attempts_user: count(
        10,
        0,
        'Wrong passwords for one account',
        'So many of them lock the account. 0 locks no account.',
      ),
      check_period: minutes(5, 1, 'Within minutes', 'For how many minutes a wrong password counts.'),
    },
    uiSchema: {
      'ui:sections': [{ title: 'How often', fields: ['max_attempts_host', 'max_attempts_user'] }],
    },
  }),
  lockouts: [
    {
      type: 'brute_force',
      label: 'Guessed password',
      reason: 'Too many wrong passwords',
      limits: passwordLimits,
    },
    {
      type: 'brute_force_admin_user',
      label: 'The name "admin"',
      reason: 'Tried to sign in as "admin"',
      limits: (values) => ({ ...passwordLimits(values), host: 1, user: 1 }),
    },
  ],
};

/** A link by email, for the owner of an account that was locked out because others guessed its password. */
export const magicLinks: Module = {
  id: 'magic-links',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'A way back in',
  description: 'Sends people whose account is locked a link that lets them sign in.',
  requirements: { load: { validate: 'run', showMessageIfUnmet: true, type: 'normal' } },
};
